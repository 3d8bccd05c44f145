// Runs a learner's code once, in a worker with a clock: what does not end in two seconds is ended.
const WORKER = '/static/modules/10-worker.js';
const WASM = '/static/vendor/micropython-1.27.0.wasm';
const SECONDS = 2;
const PATIENCE = 30;

let bytes;
const interpreter = async () => {
  const response = await fetch(WASM);
  if (!response.ok) throw new Error(response.status);
  return response.arrayBuffer();
};

// `hear` is told what happens: print, test, broken, done; the promise says how it ended: end, slow or missing.
export const run = async (todo, hear) => {
  try {
    bytes ??= await interpreter();
  } catch {
    bytes = undefined;
    return 'missing';
  }
  return new Promise((settle) => {
    const worker = new Worker(WORKER, { type: 'module' });
    let clock;
    const end = (how) => { clearTimeout(clock); worker.terminate(); settle(how); };
    clock = setTimeout(end, PATIENCE * 1000, 'missing');
    worker.onerror = (event) => { event.preventDefault(); end('missing'); };
    worker.onmessage = ({ data }) => {
      if (data.type === 'ready') { clearTimeout(clock); clock = setTimeout(end, SECONDS * 1000, 'slow'); }
      else if (data.type === 'end') end('end');
      else hear(data);
    };
    worker.postMessage({ wasm: bytes, todo: JSON.stringify(todo) });
  });
};
