# Two commands do everything: `make run` plays, `make test` proves. Both make what they need.
PYTHON ?= python3
BIN := .venv/bin
PORT ?= 8000
OLDEST := 3.11
# uv installs the same locked packages several times as fast; `make UV= …` does without it.
UV := $(shell command -v uv 2>/dev/null)
GOALS := $(or $(MAKECMDGOALS),all)

.PHONY: all help env run test evenings test-random lint record messages fuzz-api bench-connections accuracy colours marks same bench bench-web vectors bench-rules bench-match picture render render-boards foreign train-env train lock series bench-follow bench-watch-games bench-opinion videos bench-watch mutate bench-observe bench-coach strength facts clean

all: test

help:  ## this list
	@awk 'BEGIN {FS = ":.*  ## "} /^[a-z-]+:.*  ## / {printf "make %-18s %s\n", $$1, $$2}' Makefile
	@echo "make run PORT=8080 takes another port; make PYTHON=python3.12 run another Python."

# A Python that is too old makes no environment. One that another Python made, or that was left half
# made, is made anew: a venv over a venv keeps the old interpreter.
VERSION := -c 'import sys; print(*sys.version_info[:2], sep=".")'
define make-venv
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < tuple(map(int, "$(OLDEST)".split("."))))' 2>/dev/null || { \
	  echo "Pipsight needs Python $(OLDEST) or newer. $(PYTHON) is: $$($(PYTHON) --version 2>&1 || true)" >&2; \
	  echo "If a newer one is installed, name it: make PYTHON=python3.12 $(GOALS)" >&2; exit 1; }
	@{ $(1)/bin/python -m pip --version >/dev/null && \
	  test "$$($(1)/bin/python $(VERSION))" = "$$($(PYTHON) $(VERSION))"; } 2>/dev/null || rm -rf $(1)
	@test -d $(1) || $(PYTHON) -m venv $(1) || { rm -rf $(1); exit 1; }
endef

# Installs into the environment $(1); what is told of each package is the progress.
install = $(if $(UV),$(UV) pip install --python $(1)/bin/python,$(1)/bin/python -m pip install --disable-pip-version-check)

env: .venv/run.stamp  ## the environment alone, from locked dependencies

.venv/run.stamp: requirements/run.txt pyproject.toml
	$(call make-venv,.venv)
	@echo "Installing what Pipsight needs into .venv: some 400 MB, a minute or two. The next start is quick."
	@$(call install,.venv) --require-hashes -r requirements/run.txt || { \
	  echo "The packages cannot be installed. On which machines they can: docs/install.md." >&2; exit 1; }
	@$(call install,.venv) --quiet --no-deps --no-build-isolation --editable .
	touch $@

.venv/dev.stamp: .venv/run.stamp requirements/dev.txt
	@echo "Installing what the tests need as well: another minute."
	@$(call install,.venv) --require-hashes -r requirements/dev.txt
	touch $@

run: env  ## start the server on this network, on another port too: make run PORT=8080
	$(BIN)/pipsight serve --port $(PORT)

# Tests start many processes, and each would compile every module again where none may be kept. On a
# fresh machine all test processes would compile all tests at once: one does while others lint.
test test-random: export PYTHONDONTWRITEBYTECODE :=
test: .venv/dev.stamp  ## lint, then the whole suite
	@$(BIN)/python -m pytest --collect-only --quiet --quiet >/dev/null 2>&1 & \
	  $(MAKE) --no-print-directory lint; linted=$$?; wait; exit $$linted
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal

test-random: .venv/dev.stamp  ## the property tests with examples that the gate has not tried
	$(BIN)/python -m pytest --numprocesses auto -m "not browser" --hypothesis-profile random

evenings: .venv/dev.stamp  ## whole evenings by taps at tables of every size, the longest ones too
	LONG_EVENINGS=1 $(BIN)/python -m pytest --numprocesses auto tests/webui/test_journeys.py tests/browser/test_journeys.py

mutate: .venv/dev.stamp  ## plant faults and name those no test notices: make mutate MODULES="scorer/photo/interpret.py" ARGS=--show
	$(BIN)/python -m tests.tools.mutate $(MODULES) $(ARGS)

lint: .venv/dev.stamp  ## ruff, mypy --strict, import contracts, spelling
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell

record: env  ## a recorded match that the tests replay: make record GAME=yourgame
	$(BIN)/python -m tests.tools.record $(GAME) $(ARGS)

messages: .venv/dev.stamp  ## all sentences for translators, and what gettext reads: make messages ARGS=fr begins French
	$(BIN)/python -m tests.tools.messages $(ARGS)

fuzz-api: .venv/dev.stamp  ## call every address with what is told and what is not: make fuzz-api EXAMPLES=300
	EXAMPLES=$(or $(EXAMPLES),100) $(BIN)/python -m tests.tools.fuzz_api

bench-connections: .venv/dev.stamp  ## how the server answers while one address holds all it can
	$(BIN)/python -m tests.bench.connections

accuracy: env  ## how well the eyes read: make accuracy PHOTOS=folder ARGS="--overlay var/wrong"
	$(BIN)/python -m models.measure.photos.report $(or $(PHOTOS),fixtures/boards) $(ARGS)

colours: env  ## how well body colours are named: make colours PHOTOS=folder
	$(BIN)/python -m models.measure.photos.report $(or $(PHOTOS),fixtures/rendered) --by colour $(ARGS)

marks: env  ## how well marks on sheets are read, on fresh hands and real bubbles: make marks ARGS="--sheets 100"
	$(BIN)/python -m models.measure.marks.marks $(ARGS)

same: env  ## does `pipsight read` answer as it did: make same BEFORE=commit ARGS="folder"
	$(BIN)/python -m models.measure.speed.same $(BEFORE) $(ARGS)

bench: env  ## how fast the eyes read, by stage: make bench ARGS="--photo other.jpg"
	$(BIN)/python -m models.measure.speed.bench $(ARGS)

bench-web: .venv/dev.stamp  ## how quick the tally stays while photos are read: make bench-web ARGS="--seconds 300"
	$(BIN)/python -m tests.bench.web $(ARGS)

bench-coach: .venv/dev.stamp  ## how long advice takes at the positions of the recorded matches
	$(BIN)/python -m tests.bench.coach $(ARGS)

strength: .venv/dev.stamp  ## how strong a coach is: make strength GAME=dice_wide_shut N=10000
	$(BIN)/python -m tests.tools.strength $(GAME) --games $(or $(N),10000) $(ARGS)

facts: .venv/dev.stamp  ## the figures of FACTS by as many games as it had, some minutes: make facts ARGS="--share 0.1"
	$(BIN)/python -m tests.tools.facts $(ARGS)

bench-rules: .venv/dev.stamp  ## how fast the rules are, beside other engines
	$(BIN)/python -m tests.bench.rules

bench-observe: .venv/dev.stamp  ## how often a damaged table is taken wrongly without a word: make bench-observe ARGS="1000 pig"
	$(BIN)/python -m tests.bench.observe $(ARGS)

bench-match: .venv/dev.stamp  ## what a match of 20,000 moves costs to open, to show, to play on
	$(BIN)/python -m tests.bench.match $(ARGS)

vectors: .venv/dev.stamp  ## run rule cases: make vectors FILE=other.json
	$(BIN)/python -m tests.vectors $(or $(FILE),tests/vectors.json)

.venv-render/stamp: requirements/render.txt
	$(call make-venv,.venv-render)
	@$(call install,.venv-render) --require-hashes -r requirements/render.txt
	touch $@

render: .venv-render/stamp  ## pictures of any table with truth: make render N=500 SEED=1 OUT=var/rendered ARGS=--low
	.venv-render/bin/python -m models.render tables --count $(or $(N),10) --seed $(or $(SEED),1) --out $(or $(OUT),var/rendered) $(ARGS)

render-boards: .venv-render/stamp  ## the same of a lid with 3 x 3 cells
	.venv-render/bin/python -m models.render pictures --count $(or $(N),10) --seed $(or $(SEED),1) --out $(or $(OUT),var/boards)

foreign: .venv-render/stamp  ## tables as another renderer shows them, which nothing learns from: make foreign N=20 SEED=1 ARGS="stack grid"
	.venv-render/bin/python -m models.foreign $(ARGS) --count $(or $(N),10) --seed $(or $(SEED),1) --out $(or $(OUT),var/foreign)

series: .venv-render/stamp  ## photos of whole matches with what is true: make series GAME=beat_the_odds N=5 SEED=1 OUT=var/series
	.venv-render/bin/python -m models.series $(GAME) --count $(or $(N),1) --seed $(or $(SEED),1) --out $(or $(OUT),var/series) $(ARGS)

bench-follow: env  ## how well matches are followed from their photos: make bench-follow PHOTOS=var/series
	$(BIN)/python -m tests.bench.follow $(or $(PHOTOS),var/series) $(ARGS)

bench-watch-games: .venv/dev.stamp  ## how well a camera follows whole matches: make series GAME=pig OUT=var/films ARGS=--still-camera, then make bench-watch-games FILMS=var/films
	$(BIN)/python -m tests.bench.watched_games $(or $(FILMS),fixtures/watched) $(ARGS)

bench-opinion: .venv/dev.stamp  ## wrong readings of photos that the rules catch or repair: make bench-opinion PHOTOS=var/series
	$(BIN)/python -m tests.bench.opinion $(or $(PHOTOS),var/series)

videos: .venv-render/stamp  ## videos of throws with truth, by rigid bodies: make videos N=25 SEED=1 OUT=var/videos ARGS="--throws 4"
	.venv-render/bin/python -m models.videos --count $(or $(N),1) --seed $(or $(SEED),1) --out $(or $(OUT),var/videos) $(ARGS)

bench-watch: env  ## how many rests are told, rightly, in time, and how many are invented: make bench-watch VIDEOS=var/videos
	$(BIN)/python -m models.measure.watch.watch $(or $(VIDEOS),fixtures/videos) $(ARGS)

train-env: .venv-train/stamp  ## what training needs: torch, numba, onnxruntime

.venv-train/stamp: requirements/train.txt
	$(call make-venv,.venv-train)
	@$(call install,.venv-train) -r requirements/train.txt
	touch $@

# Tables that the renderer shows are drawn by its own environment: to learn from (seeds from 101), to measure on.
RENDERED := var/rendered/done var/rendered-fresh/done var/boards/done

var/rendered/done: .venv-render/stamp
	nice .venv-render/bin/python -m models.render tables --count 300 --seed 101 --out $(@D) && touch $@

var/rendered-fresh/done: .venv-render/stamp
	nice .venv-render/bin/python -m models.render tables --count 100 --seed 1 --out $(@D) && touch $@

var/boards/done: .venv-render/stamp
	nice .venv-render/bin/python -m models.render pictures --count 40 --seed 501 --size 960x720 --samples 4 --out $(@D) && touch $@

train: .venv-train/stamp $(RENDERED)  ## networks from nothing: drawn pictures and photos; goes on where it was stopped: make train TRAIN="--photos P --workers 2"
	.venv-train/bin/python -m models.train --rendered var/rendered $(TRAIN) all $(ARGS)

picture: .venv/dev.stamp  ## the README's picture, photographed from the page
	$(BIN)/python -m tests.tools.picture

lock:  ## refresh the locked dependencies (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --custom-compile-command "make lock" pyproject.toml requirements/run.in -o requirements/run.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --custom-compile-command "make lock" --extra dev pyproject.toml requirements/run.in -c requirements/run.txt -o requirements/dev.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --custom-compile-command "make lock" --extra render pyproject.toml -c requirements/run.txt -o requirements/render.txt

clean:  ## delete the environments and what was built
	rm -rf .venv .venv-render .venv-train build dist
