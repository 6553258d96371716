"""Charts, peg tracks and boards as numbers for SVG and PDF; they know no page."""
