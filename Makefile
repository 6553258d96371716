# Two commands do everything: `make run` plays, `make test` proves. Both make what they need.
PYTHON ?= python3
BIN := .venv/bin
PORT ?= 8000

.PHONY: all env run test lint accuracy colours bench vectors bench-rules picture render render-boards train-env train lock clean

all: test

env: .venv/run.stamp  ## the environment alone, from locked dependencies

.venv/run.stamp: requirements/run.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

.venv/dev.stamp: .venv/run.stamp requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	touch $@

run: env  ## start the server on this network
	$(BIN)/pipsight serve --port $(PORT)

test: .venv/dev.stamp lint  ## lint, then the whole suite
	$(BIN)/python -m pytest --numprocesses auto

lint: .venv/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell

accuracy: env  ## how well the eyes read: make accuracy PHOTOS=folder ARGS="--overlay var/wrong"
	$(BIN)/python -m models.measure.report $(or $(PHOTOS),fixtures/boards) $(ARGS)

colours: env  ## how well body colours are named: make colours PHOTOS=folder
	$(BIN)/python -m models.measure.report $(or $(PHOTOS),fixtures/rendered) --by colour $(ARGS)

bench: env  ## how fast the eyes read, by stage: make bench ARGS="--photo other.jpg"
	$(BIN)/python -m models.measure.bench $(ARGS)

bench-rules: .venv/dev.stamp  ## how fast the rules are, beside other engines
	$(BIN)/python -m tests.bench_rules

vectors: .venv/dev.stamp  ## run rule cases: make vectors FILE=other.json
	$(BIN)/python -m tests.vectors $(or $(FILE),tests/vectors.json)

.venv-render/stamp: requirements/render.txt
	$(PYTHON) -m venv .venv-render
	.venv-render/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/render.txt
	touch $@

render: .venv-render/stamp  ## pictures of any table with truth: make render N=500 SEED=1 OUT=var/rendered ARGS=--low
	.venv-render/bin/python -m models.render tables --count $(or $(N),10) --seed $(or $(SEED),1) --out $(or $(OUT),var/rendered) $(ARGS)

render-boards: .venv-render/stamp  ## the same of a lid with 3 x 3 cells
	.venv-render/bin/python -m models.render pictures --count $(or $(N),10) --seed $(or $(SEED),1) --out $(or $(OUT),var/boards)

train-env: .venv-train/stamp  ## what training needs: torch, numba, onnxruntime

.venv-train/stamp: requirements/train.txt
	$(PYTHON) -m venv .venv-train
	.venv-train/bin/python -m pip install --quiet --disable-pip-version-check -r requirements/train.txt
	touch $@

train: .venv-train/stamp  ## networks from drawn pictures and photos; goes on where it was stopped: make train TRAIN="--photos P" ARGS="--steps 12000"
	.venv-train/bin/python -m models.train $(TRAIN) all $(ARGS)

picture: .venv/dev.stamp  ## the README's picture, photographed from the page
	$(BIN)/python -m tests.picture

lock:  ## refresh the locked dependencies (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --custom-compile-command "make lock" pyproject.toml requirements/run.in -o requirements/run.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --custom-compile-command "make lock" --extra dev pyproject.toml requirements/run.in -c requirements/run.txt -o requirements/dev.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	  --custom-compile-command "make lock" --extra render pyproject.toml -c requirements/run.txt -o requirements/render.txt

clean:
	rm -rf .venv .venv-render .venv-train build dist
