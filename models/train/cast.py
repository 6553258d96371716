"""Cast one ray a pixel at rounded boxes with pips: the fast half of `sketch`.

A die is a box with round edges, perhaps cut by a ball; a domino is a flat one; a sweet is a box
that is all edge. Only the first hit is shaded, so a picture takes some 50 ms.
"""

# ruff: noqa: N806  # H, R are the field's letters; a kernel is one deep loop
from __future__ import annotations

import math

import numpy as np
from numba import njit

# Columns of the (n, BODY) table of boxes.
BODY = 35
AT, TURN, HALF, ROUND, BALL, COLOUR, SECOND = 0, 3, 12, 15, 16, 17, 20
SWIRL, GLOSS, CLEAR, SEED, BAR, GRAIN = 23, 24, 25, 26, 27, 28
BAR_COLOUR = 29  # 3 columns
WAVE, RIPPLE, DIRT = 32, 33, 34  # tilt of a wavy polish, its waves a unit; share of dirt
# Columns of the (m, PIP) table of pips, sorted by box.
PIP = 12
OWNER, FACE, PU, PV, RADIUS, INK, DEPTH, RING = 0, 1, 2, 3, 4, 5, 8, 9
# Columns of the (k, LAMP) table of lamps, level over the table: middle, half width and depth.
LAMP = 8
LAMP_HALF, LAMP_ROUND, LAMP_SOFT, LAMP_BRIGHT = 3, 5, 6, 7  # round or not; share of its edge
MISS = -1


@njit(cache=True, fastmath=True)
def _hash(x: int, y: int, z: int) -> float:
    n = (x * 73856093) ^ (y * 19349663) ^ (z * 83492791)
    n = (n ^ (n >> 13)) & 0x7FFFFFFF
    n = (n * (n * n * 15731 + 789221) + 1376312589) & 0x7FFFFFFF
    return n / 2147483647.0


@njit(cache=True, fastmath=True)
def _noise(x: float, y: float, z: float) -> float:
    """Return smooth noise in [0, 1]."""
    i, j, k = math.floor(x), math.floor(y), math.floor(z)
    u, v, w = x - i, y - j, z - k
    u, v, w = u * u * (3 - 2 * u), v * v * (3 - 2 * v), w * w * (3 - 2 * w)
    a, b, c = int(i), int(j), int(k)
    total = 0.0
    for da in range(2):
        for db in range(2):
            for dc in range(2):
                weight = (u if da else 1 - u) * (v if db else 1 - v) * (w if dc else 1 - w)
                total += weight * _hash(a + da, b + db, c + dc)
    return total


@njit(cache=True, fastmath=True)
def _tilt(p, seed: float, body) -> float:
    """Return how far a wavy polish leans at *p* along one axis; *seed* tells the axes apart."""
    f = body[RIPPLE]
    x, y, z = p[0] * f + seed, p[1] * f + body[SEED], p[2] * f
    fine = _noise(2.7 * x + 9, 2.7 * y, 2.7 * z)
    return body[WAVE] * (2 * _noise(x, y, z) + fine - 1.5)


@njit(cache=True, fastmath=True)
def _shadowed(px, py, pz, lx, ly, lz, bodies, own):
    """Return whether a ray to a light meets another box (as a ball-capped plain box)."""
    for i in range(bodies.shape[0]):
        if i == own:
            continue
        b = bodies[i]
        ox, oy, oz = px - b[AT], py - b[AT + 1], pz - b[AT + 2]
        along = -(ox * lx + oy * ly + oz * lz)
        reach = b[HALF] ** 2 + b[HALF + 1] ** 2 + b[HALF + 2] ** 2
        if along < 0 or ox * ox + oy * oy + oz * oz - along * along > reach:
            continue
        near, far = 0.0, 1e9
        for a in range(3):
            r0, r1, r2 = b[TURN + a], b[TURN + 3 + a], b[TURN + 6 + a]  # column a: a local axis
            o = r0 * ox + r1 * oy + r2 * oz
            d = r0 * lx + r1 * ly + r2 * lz
            h = b[HALF + a] - 0.15 * b[ROUND]
            if abs(d) < 1e-9:
                d = 1e-9
            s, t = (-h - o) / d, (h - o) / d
            near, far = max(near, min(s, t)), min(far, max(s, t))
        if near < far:
            return True
    return False


@njit(cache=True, fastmath=True)
def _mirrored(px, py, pz, rx, ry, rz, lamp):
    """Return how bright a lamp is along the ray (px, py, pz) + t (rx, ry, rz), rz > 0."""
    t = (lamp[2] - pz) / rz
    if t < 0:
        return 0.0
    u = (px + t * rx - lamp[0]) / lamp[LAMP_HALF]
    v = (py + t * ry - lamp[1]) / lamp[LAMP_HALF + 1]
    out = math.hypot(u, v) if lamp[LAMP_ROUND] > 0 else max(abs(u), abs(v))
    return lamp[LAMP_BRIGHT] * min(1.0, max(0.0, (1 - out) / lamp[LAMP_SOFT]))


@njit(cache=True, fastmath=True)
def cast(
    image,
    owner,
    face_of,
    eye,
    axes,
    focal,
    middle,
    bodies,
    pips,
    first,
    lights,
    lamps,
    ambient,
    sky,
):
    """Draw *bodies* onto *image*.

    Args:
        image: (h, w, 3) float32 linear, the table already on it.
        owner: (h, w) int16, filled with the box seen in each pixel, or MISS.
        face_of: (h, w) int8, filled with its face 0 to 5: +x -x +y -y +z -z.
        eye: (3,) place of the lens.
        axes: (3, 3) rows right, down, forward.
        focal: px.
        middle: (2,) px.
        bodies: table as the columns above name them.
        pips: likewise.
        first: (n + 1,) rows of pips a box.
        lights: (k, 7) direction to the light, colour, what reaches into its shadow.
        lamps: (j, LAMP) what polished bodies mirror; light comes from *lights* alone.
        ambient: (3,) light from everywhere.
        sky: (3,) what a mirror shows.
    """
    H, W = owner.shape
    depth = np.full((H, W), 1e9, np.float32)
    n = bodies.shape[0]
    for i in range(n):
        b = bodies[i]
        hx, hy, hz = b[HALF], b[HALF + 1], b[HALF + 2]
        rnd, ball = b[ROUND], b[BALL]
        bound = math.sqrt(hx * hx + hy * hy + hz * hz)
        cx, cy, cz = b[AT] - eye[0], b[AT + 1] - eye[1], b[AT + 2] - eye[2]
        z = axes[2, 0] * cx + axes[2, 1] * cy + axes[2, 2] * cz
        if z < bound:
            continue
        mx = middle[0] + focal * (axes[0, 0] * cx + axes[0, 1] * cy + axes[0, 2] * cz) / z
        my = middle[1] + focal * (axes[1, 0] * cx + axes[1, 1] * cy + axes[1, 2] * cz) / z
        reach = 1.15 * focal * bound / (z - bound)
        x0, x1 = max(0, int(mx - reach)), min(W, int(mx + reach) + 2)
        y0, y1 = max(0, int(my - reach)), min(H, int(my + reach) + 2)
        # The eye in the box's own axes.
        o = np.empty(3)
        for a in range(3):
            o[a] = -(b[TURN + a] * cx + b[TURN + 3 + a] * cy + b[TURN + 6 + a] * cz)
        d = np.empty(3)
        p = np.empty(3)
        nl = np.empty(3)
        half = np.array((hx, hy, hz))
        for y in range(y0, y1):
            for x in range(x0, x1):
                sx, sy = (x - middle[0]) / focal, (y - middle[1]) / focal
                wx = axes[0, 0] * sx + axes[1, 0] * sy + axes[2, 0]
                wy = axes[0, 1] * sx + axes[1, 1] * sy + axes[2, 1]
                wz = axes[0, 2] * sx + axes[1, 2] * sy + axes[2, 2]
                norm = 1 / math.sqrt(wx * wx + wy * wy + wz * wz)
                wx, wy, wz = wx * norm, wy * norm, wz * norm
                near, far = 0.0, 1e9
                exit_axis = 0
                for a in range(3):
                    d[a] = b[TURN + a] * wx + b[TURN + 3 + a] * wy + b[TURN + 6 + a] * wz
                    if abs(d[a]) < 1e-9:
                        d[a] = 1e-9
                    s, t = (-half[a] - o[a]) / d[a], (half[a] - o[a]) / d[a]
                    near = max(near, min(s, t))
                    if max(s, t) < far:
                        far = max(s, t)
                        exit_axis = a
                if near >= far or near >= depth[y, x]:
                    continue
                t = near
                hit = False
                for _ in range(28):
                    q2 = 0.0
                    inside = -1e9
                    pp = 0.0
                    for a in range(3):
                        p[a] = o[a] + t * d[a]
                        q = abs(p[a]) - (half[a] - rnd)
                        inside = max(inside, q)
                        if q > 0:
                            q2 += q * q
                        pp += p[a] * p[a]
                    box = (math.sqrt(q2) if q2 > 0 else inside) - rnd
                    cap = math.sqrt(pp) - ball
                    dist = max(box, cap)
                    if dist < 0.003:
                        hit = True
                        break
                    t += dist
                    if t > far:
                        break
                if not hit or t >= depth[y, x]:
                    continue
                # Normal and face.
                top, which = -1.0, 0
                length = 0.0
                for a in range(3):
                    if cap > box:
                        nl[a] = p[a]
                    else:
                        q = abs(p[a]) - (half[a] - rnd)
                        nl[a] = math.copysign(max(q, 0.0), p[a])
                    length += nl[a] * nl[a]
                length = math.sqrt(length)
                if length < 1e-6:
                    continue
                for a in range(3):
                    nl[a] /= length
                    side = abs(p[a]) / half[a]
                    if side > top:
                        top, which = side, a
                face = 2 * which + (0 if p[which] > 0 else 1)
                ua, va = (which + 1) % 3, (which + 2) % 3
                u, v = p[ua], p[va]
                pixel = t / focal  # of the surface seen from straight above
                # Body: two colours mixed by noise, or grain along x.
                s = b[SEED]
                r, g, bl = b[COLOUR], b[COLOUR + 1], b[COLOUR + 2]
                mix = 0.0
                if b[SWIRL] > 0:
                    f = b[SWIRL]
                    k = 4 * _noise(p[0] * 1.5 + s, p[1] * 1.5, p[2] * 1.5)
                    mix = _noise(p[0] * f + s + k, p[1] * f + k, p[2] * f - k)
                    mix = min(1.0, max(0.0, (mix - 0.35) * 3.3))
                if b[GRAIN] > 0:
                    f = b[GRAIN]
                    k = _noise(p[0] * 0.8 + s, p[1] * 4, p[2] * 4)
                    mix = 0.5 + 0.5 * math.sin(f * (math.hypot(p[1] + 0.9, p[2] - 0.7) + 0.35 * k))
                r += mix * (b[SECOND] - r)
                g += mix * (b[SECOND + 1] - g)
                bl += mix * (b[SECOND + 2] - bl)
                if b[DIRT] > 0:
                    k = _noise(p[0] * 3 + s, p[1] * 9, p[2] * 3) + _noise(p[0] * 22, p[1] * 6, s)
                    k = 1 - b[DIRT] * min(1.0, max(0.0, 2.5 * (k - 1)))
                    r, g, bl = k * r, k * g, k * bl
                clear = b[CLEAR]
                if b[BAR] > 0 and which == 2:
                    m = min(1.0, max(0.0, (b[BAR] - abs(p[0])) / pixel + 0.5))
                    if abs(p[1]) < 0.84 * hy:
                        r += m * (b[BAR_COLOUR] - r)
                        g += m * (b[BAR_COLOUR + 1] - g)
                        bl += m * (b[BAR_COLOUR + 2] - bl)
                for j in range(first[i], first[i + 1]):
                    e = pips[j]
                    if int(e[FACE]) != face:
                        continue
                    du, dv = u - e[PU], v - e[PV]
                    away = math.hypot(du, dv)
                    m = min(1.0, max(0.0, (e[RADIUS] - away) / pixel + 0.5))
                    if m <= 0:
                        continue
                    if e[RING] > 0:
                        m *= min(1.0, max(0.0, (away - e[RING]) / pixel + 0.5))
                    r += m * (e[INK] - r)
                    g += m * (e[INK + 1] - g)
                    bl += m * (e[INK + 2] - bl)
                    clear *= 1 - m
                    if e[DEPTH] > 0:
                        # A dimple is hollow: its surface leans towards its middle.
                        lean = e[DEPTH] * m / e[RADIUS]
                        nl[ua] -= lean * du
                        nl[va] -= lean * dv
                if clear > 0:
                    # The pip of a far face shows through.
                    back = 2 * exit_axis + (0 if d[exit_axis] > 0 else 1)
                    bu = o[(exit_axis + 1) % 3] + far * d[(exit_axis + 1) % 3]
                    bv = o[(exit_axis + 2) % 3] + far * d[(exit_axis + 2) % 3]
                    for j in range(first[i], first[i + 1]):
                        e = pips[j]
                        if int(e[FACE]) == back:
                            m = math.hypot(bu - e[PU], bv - e[PV])
                            if m < e[RADIUS]:
                                k = 0.45 * clear
                                r += k * (e[INK] - r)
                                g += k * (e[INK + 1] - g)
                                bl += k * (e[INK + 2] - bl)
                # Turn the normal to the world and light it.
                nx = b[TURN] * nl[0] + b[TURN + 1] * nl[1] + b[TURN + 2] * nl[2]
                ny = b[TURN + 3] * nl[0] + b[TURN + 4] * nl[1] + b[TURN + 5] * nl[2]
                nz = b[TURN + 6] * nl[0] + b[TURN + 7] * nl[1] + b[TURN + 8] * nl[2]
                length = 1 / math.sqrt(nx * nx + ny * ny + nz * nz)
                nx, ny, nz = nx * length, ny * length, nz * length
                gx, gy, gz = eye[0] + t * wx, eye[1] + t * wy, eye[2] + t * wz
                # Sides see half of the room, and less of it near the table.
                open_sky = (0.62 + 0.38 * nz) * (0.55 + 0.45 * min(1.0, max(0.0, gz / (2 * hz))))
                lr, lg, lb = ambient[0] * open_sky, ambient[1] * open_sky, ambient[2] * open_sky
                shine = 0.0
                for k in range(lights.shape[0]):
                    lx, ly, lz = lights[k, 0], lights[k, 1], lights[k, 2]
                    facing = nx * lx + ny * ly + nz * lz
                    wrap = 0.25 * b[CLEAR]
                    lit = max(0.0, (facing + wrap) / (1 + wrap))
                    if lit > 0 and n > 1 and _shadowed(gx, gy, gz, lx, ly, lz, bodies, i):
                        lit *= lights[k, 6]
                    lr += lit * lights[k, 3]
                    lg += lit * lights[k, 4]
                    lb += lit * lights[k, 5]
                    if b[GLOSS] > 0 and facing > 0:
                        ax, ay, az = lx - wx, ly - wy, lz - wz
                        length = 1 / math.sqrt(ax * ax + ay * ay + az * az)
                        mirror = max(0.0, (nx * ax + ny * ay + nz * az) * length)
                        shine += b[GLOSS] * mirror ** (12 + 260 * b[GLOSS]) * lights[k, 4]
                graze = 1 + (nx * wx + ny * wy + nz * wz)
                graze = max(0.0, min(1.0, graze))
                mirror = b[GLOSS] * (0.04 + 0.5 * graze**4)
                turn = 2 * (1 - graze)  # twice the cosine between normal and eye
                rx, ry, rz = wx + turn * nx, wy + turn * ny, wz + turn * nz
                if b[WAVE] > 0 and lamps.shape[0] > 0:
                    rx += 2 * _tilt(p, 0.0, b)
                    ry += 2 * _tilt(p, 31.0, b)
                if b[GLOSS] > 0 and rz > 0.02:
                    for k in range(lamps.shape[0]):
                        shine += mirror * _mirrored(gx, gy, gz, rx, ry, rz, lamps[k])
                r = r * lr + mirror * sky[0] + 1.3 * shine
                g = g * lg + mirror * sky[1] + 1.3 * shine
                bl = bl * lb + mirror * sky[2] + 1.3 * shine
                if clear > 0:
                    # Light through a tinted body: what lies behind, stained, and its own glow.
                    tr, tg, tb = b[COLOUR], b[COLOUR + 1], b[COLOUR + 2]
                    high = max(0.05, tr, tg, tb)
                    k = 0.75 * clear
                    r += k * (1.1 * image[y, x, 0] * tr / high + 0.2 * tr * lr - 0.8 * r)
                    g += k * (1.1 * image[y, x, 1] * tg / high + 0.2 * tg * lg - 0.8 * g)
                    bl += k * (1.1 * image[y, x, 2] * tb / high + 0.2 * tb * lb - 0.8 * bl)
                    edge = max(0.0, 1 - 2.2 * (1 - max(abs(nl[0]), abs(nl[1]), abs(nl[2]))))
                    r *= 0.75 + 0.25 * edge
                    g *= 0.75 + 0.25 * edge
                    bl *= 0.75 + 0.25 * edge
                image[y, x, 0], image[y, x, 1], image[y, x, 2] = r, g, bl
                depth[y, x] = t
                owner[y, x] = i
                face_of[y, x] = face
