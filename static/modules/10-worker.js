// The learner's Python, in a thread of its own: one run, then the page ends it. It gets the interpreter's bytes
// from the page and may not connect to anything: its own policy (app/web/site/security.py) says so, not this script.
import { loadMicroPython } from '/static/vendor/micropython-1.27.0.mjs';

// The judge: calls the learner's function, compares, and looks which usual mistake gives the same results.
// Everything of the learner's is compiled as "student.py", so that a traceback tells its lines from ours.
const JUDGE = `
import _job, io, json, sys
from math import log2

def _shown(value):
    if isinstance(value, float):
        return '%.6g' % value
    if isinstance(value, list):
        return '[' + ', '.join([_shown(element) for element in value]) + ']'
    return repr(value)

def _same(value, other):
    if isinstance(value, bool) or isinstance(other, bool):
        return value is other
    if isinstance(value, (int, float)) and isinstance(other, (int, float)):
        return abs(value - other) <= 1e-6 * max(1, abs(other))
    if isinstance(value, list) and isinstance(other, list):
        return len(value) == len(other) and all([_same(element, other_element) for element, other_element in zip(value, other)])
    return type(value) == type(other) and value == other

def _near(value, other):
    are_numbers = isinstance(value, (int, float)) and isinstance(other, (int, float))
    return are_numbers and abs(value - other) < 0.0051

def _fault(error):
    traceback = io.StringIO()
    sys.print_exception(error, traceback)
    lines = [line for line in traceback.getvalue().split('\\n') if '"student.py", line ' in line]
    number = int(lines[-1].split('"student.py", line ')[1].split(',')[0]) if lines else None
    return {'error': type(error).__name__, 'text': str(error)[:200], 'line': number}

def _names_of(code):
    names = {'__name__': '__main__'}
    exec(compile(code, 'student.py', 'exec'), names)
    return names

def _outcome(names, test):
    try:
        test_names = dict(names)
        if test['before']:
            exec(compile(test['before'], 'test.py', 'exec'), test_names)
        return eval(test['call'], test_names), None
    except BaseException as error:
        return None, error

def _alike(outcome, other):
    if outcome[1] or other[1]:
        return type(outcome[1]) == type(other[1])
    return _same(outcome[0], other[0])

def _likeness(wrong, tests, outcomes, failed):
    try:
        names = _names_of(wrong)
    except BaseException:
        return 0
    alike = [_alike(outcome, _outcome(names, test)) for outcome, test in zip(outcomes, tests)]
    is_mostly_alike = 2 * len([number for number in failed if alike[number]]) >= len(failed)
    return len([is_alike for is_alike in alike if is_alike]) if is_mostly_alike and alike[failed[0]] else 0

def _run(job):
    tests, outcomes, failed = job['tests'], [], []
    try:
        names = _names_of(job['code'])
    except BaseException as error:
        return _job.report(json.dumps({'type': 'broken', 'fault': _fault(error)}))
    for number, test in enumerate(tests):
        value, error = _outcome(names, test)
        expected = eval(test['expect'], {'log2': log2})
        right = not error and _same(value, expected)
        outcomes.append((value, error))
        if not right:
            failed.append(number)
        report = {'type': 'test', 'number': number, 'right': right, 'expected': _shown(expected)}
        if error:
            report['fault'] = _fault(error)
        else:
            report.update({'got': _shown(value)[:200], 'nothing': value is None, 'near': _near(value, expected)})
        _job.report(json.dumps(report))
    likenesses = [_likeness(wrong, tests, outcomes, failed) if wrong and failed else 0 for wrong in job['wrongs']]
    best = max(likenesses) if likenesses else 0
    _job.report(json.dumps({'type': 'done', 'usual': likenesses.index(best) if best else None}))

_job_of_page = json.loads(_job.job)
for _name in ('_job', 'js', 'jsffi'):
    sys.modules.pop(_name, None)
_job.report(json.dumps({'type': 'ready'}))
_run(_job_of_page)
`;

const MOST_LINES = 100;
let printed = 0;
const print = (line) => {
  printed += 1;
  if (printed <= MOST_LINES) postMessage({ type: 'print', line: line.slice(0, 500) });
  else if (printed === MOST_LINES + 1) postMessage({ type: 'print', line: '……' });
};

onmessage = async ({ data }) => {
  // The interpreter asks the network for its bytes; they are here already.
  self.fetch = async () => new Response(data.wasm, { headers: { 'content-type': 'application/wasm' } });
  const python = await loadMicroPython({ url: 'micropython.wasm', heapsize: 8 << 20, stdout: print, stderr: print });
  python.registerJsModule('_job', { job: data.job, report: (text) => postMessage(JSON.parse(text)) });
  try {
    python.runPython(JUDGE);
  } catch (error) {
    postMessage({ type: 'broken', fault: { error: error.type ?? 'RuntimeError', text: String(error.message ?? error).slice(0, 200), line: null } });
  }
  postMessage({ type: 'end' });
};
