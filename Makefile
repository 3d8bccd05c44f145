# Two commands are all a newcomer needs: `make run` and `make test`.
# Both do their own set-up (tools/setup.py) and redo it only when a lock file changed.

HOST ?= 127.0.0.1
PORT ?= 8000
# Browsers, servers and motion are waited for: one process more than there are cores.
PROCESSES ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
PYTEST_ARGS ?=
FAULTS_ARGS ?= --kills 1000 --calls --waits 2 --requests 15000 --memory 100000
BENCH_ARGS ?=
MUTANTS_ARGS ?=

PYTHON := .venv/bin/python
FIND = TEST_CHROMIUM="$$($(PYTHON) tools/browser.py)" && export TEST_CHROMIUM && \
	TEST_POSTGRES="$$($(PYTHON) tools/postgres.py)" && export TEST_POSTGRES
SETUP = python="$$(sh tools/find_python.sh)" && "$$python" tools/setup.py

.PHONY: run dev test short-tests test-all check lint style types format bench faults laws mutants audit lock clean

run: ## 打开糖序：PORT=8001 换端口，HOST=0.0.0.0 让同一网络的手机也能看
	@$(SETUP) run && exec $(PYTHON) -m app serve --host "$(HOST)" --port "$(PORT)"

dev: ## 同上，改了代码或内容就自动更新
	@$(SETUP) run && exec $(PYTHON) -m app serve --host "$(HOST)" --port "$(PORT)" --reload

# Bytecode is kept also where the shell says otherwise: without it each start compiles the project anew, and the
# tests start dozens of processes.
run dev bench test test-all mutants: export PYTHONDONTWRITEBYTECODE :=

# Content is checked beside the style, and types are looked through while browsers are waited for.
test: ## 跑全部检查和测试，含真浏览器和真PostgreSQL
	@$(SETUP) dev
	@$(MAKE) --no-print-directory --jobs=2 style check types short-tests

short-tests:
	@$(FIND) && $(PYTHON) -m pytest -n $(PROCESSES) -m "not long" $(PYTEST_ARGS)

test-all: test ## 同上，再加上跑得久的测试（几千个随机数、记录和网页都在PostgreSQL上）
	@$(FIND) && $(PYTHON) tools/proxies.py && $(PYTHON) -m pytest -n $(PROCESSES) --maxschedchunk 2 -m long $(PYTEST_ARGS)

check: ## 检查 content/ 里的内容
	@$(SETUP) run && $(PYTHON) -m app check

lint: style types ## ruff 与 mypy

style:
	@$(SETUP) dev
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .

types:
	@$(SETUP) dev
	$(PYTHON) -m mypy

format: ## 按统一格式整理代码
	@$(SETUP) dev
	$(PYTHON) -m ruff check --fix .
	$(PYTHON) -m ruff format .

bench: ## 测速：打印结果，不判对错
	@$(SETUP) bench && $(FIND) && $(PYTHON) -m bench $(BENCH_ARGS) && $(PYTHON) -m bench.diagnosis && \
		$(PYTHON) -m bench.mastery && $(PYTHON) -m bench.cards && $(PYTHON) -m bench.classes && \
		$(PYTHON) -m bench.insight && $(PYTHON) -m bench.workbench && $(PYTHON) -m bench.databases && exec $(PYTHON) -m bench.gradebook

faults: ## 一千次断电、磁盘故障、一万五千个怪请求、十万个请求以后的内存、最坏的输入让别人等多久；FAULTS_ARGS="--seed 7 --kills 40" 重放
	@$(SETUP) run && exec $(PYTHON) -m tests.faults $(FAULTS_ARGS)

laws: ## 性质测试换一批随机的例子再跑一遍；认出来的错会印出种子
	@$(SETUP) dev && $(FIND) && exec $(PYTHON) -m pytest -n auto -m hypothesis --hypothesis-profile=drawn-anew $(PYTEST_ARGS)

mutants: ## 把定分数、种子、期限、权限和上限的规则逐条改坏，看测试看不看得出来；停了再跑就接着来；MUTANTS_ARGS=文件 只重试它
	@$(SETUP) mutants && exec $(PYTHON) tools/mutants.py $(MUTANTS_ARGS)

audit: ## 锁住的包有没有公开的漏洞：要连得上PyPI；pip-audit装在用完就删的地方，有一个包没查成也算没过
	@$(SETUP) run && folder="$$(mktemp -d)" && trap 'rm -rf "$$folder"' EXIT && \
		$(PYTHON) -m venv "$$folder" && "$$folder/bin/python" -m pip install --quiet pip-audit && \
		"$$folder/bin/python" -m pip_audit --strict --disable-pip --require-hashes -r requirements.lock

lock: ## 改了 pyproject.toml 的依赖之后：重写锁文件
	@$(SETUP) run && exec $(PYTHON) tools/lock.py

clean: ## 删掉 .venv 和各种缓存；data/ 里的学习记录不动
	rm -rf .venv dist mutants .mypy_cache .pytest_cache .ruff_cache .hypothesis test-results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
