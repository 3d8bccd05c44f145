// The learner's Python, in a thread of its own: one run, then the page ends it. It gets the interpreter's bytes
// from the page and may not connect to anything: its own policy (app/web/security.py) says so, not this script.
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
        return '[' + ', '.join([_shown(one) for one in value]) + ']'
    return repr(value)

def _same(one, other):
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return abs(one - other) <= 1e-6 * max(1, abs(other))
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all([_same(a, b) for a, b in zip(one, other)])
    return type(one) == type(other) and one == other

def _near(one, other):
    both = isinstance(one, (int, float)) and isinstance(other, (int, float))
    return both and abs(one - other) < 0.0051

def _fault(error):
    told = io.StringIO()
    sys.print_exception(error, told)
    lines = [one for one in told.getvalue().split('\\n') if '"student.py", line ' in one]
    line = int(lines[-1].split('"student.py", line ')[1].split(',')[0]) if lines else None
    return {'error': type(error).__name__, 'text': str(error)[:200], 'line': line}

def _space(code):
    space = {'__name__': '__main__'}
    exec(compile(code, 'student.py', 'exec'), space)
    return space

def _outcome(space, test):
    try:
        here = dict(space)
        if test['before']:
            exec(compile(test['before'], 'test.py', 'exec'), here)
        return eval(test['call'], here), None
    except BaseException as error:
        return None, error

def _alike(mine, other):
    if mine[1] or other[1]:
        return type(mine[1]) == type(other[1])
    return _same(mine[0], other[0])

def _likeness(wrong, tests, mine, failed):
    try:
        space = _space(wrong)
    except BaseException:
        return 0
    alike = [_alike(one, _outcome(space, test)) for one, test in zip(mine, tests)]
    many = 2 * len([one for one in failed if alike[one]]) >= len(failed)
    return len([one for one in alike if one]) if many and alike[failed[0]] else 0

def _run(todo):
    tests, mine, failed = todo['tests'], [], []
    try:
        space = _space(todo['code'])
    except BaseException as error:
        return _job.report(json.dumps({'type': 'broken', 'fault': _fault(error)}))
    for number, test in enumerate(tests):
        value, error = _outcome(space, test)
        expected = eval(test['expect'], {'log2': log2})
        right = not error and _same(value, expected)
        mine.append((value, error))
        if not right:
            failed.append(number)
        told = {'type': 'test', 'number': number, 'right': right, 'expected': _shown(expected)}
        if error:
            told['fault'] = _fault(error)
        else:
            told.update({'got': _shown(value)[:200], 'nothing': value is None, 'near': _near(value, expected)})
        _job.report(json.dumps(told))
    like = [_likeness(one, tests, mine, failed) if one and failed else 0 for one in todo['wrongs']]
    best = max(like) if like else 0
    _job.report(json.dumps({'type': 'done', 'usual': like.index(best) if best else None}))

_todo = json.loads(_job.todo)
for _name in ('_job', 'js', 'jsffi'):
    sys.modules.pop(_name, None)
_run(_todo)
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
  postMessage({ type: 'ready' });
  python.registerJsModule('_job', { todo: data.todo, report: (text) => postMessage(JSON.parse(text)) });
  try {
    python.runPython(JUDGE);
  } catch (error) {
    postMessage({ type: 'broken', fault: { error: error.type ?? 'RuntimeError', text: String(error.message ?? error).slice(0, 200), line: null } });
  }
  postMessage({ type: 'end' });
};
