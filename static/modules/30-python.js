// Runs a learner's code once, in a worker with a clock: what does not end in two seconds is ended.
const WORKER = '/static/modules/10-worker.js';
const WASM = '/static/vendor/micropython-1.27.0.wasm';
const RUN_MS = 2000;
const START_MS = 30000;

let wasm;
const fetchWasm = async () => {
  const response = await fetch(WASM);
  if (!response.ok) throw new Error(response.status);
  return response.arrayBuffer();
};

// `report` is called with what happens: print, test, broken, done; the promise says how it ended: end, slow or missing.
export const run = async (job, report) => {
  try {
    wasm = wasm ?? await fetchWasm();
  } catch {
    wasm = undefined;
    return 'missing';
  }
  return new Promise((settle) => {
    const worker = new Worker(WORKER, { type: 'module' });
    let clock;
    const end = (ending) => { clearTimeout(clock); worker.terminate(); settle(ending); };
    clock = setTimeout(end, START_MS, 'missing');
    worker.onerror = (event) => { event.preventDefault(); end('missing'); };
    worker.onmessage = ({ data }) => {
      if (data.type === 'ready') { clearTimeout(clock); clock = setTimeout(end, RUN_MS, 'slow'); }
      else if (data.type === 'end') end('end');
      else report(data);
    };
    worker.postMessage({ wasm, job: JSON.stringify(job) });
  });
};
