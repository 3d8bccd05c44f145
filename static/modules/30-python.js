// Runs a learner's code once, in a worker with a clock: what does not end in two seconds is ended.
const WORKER = '/static/modules/10-worker.js';
const WASM = '/static/vendor/micropython-1.27.0.wasm';
const RUN_SECONDS = 2;
const START_SECONDS = 30;

let interpreterBytes;
const fetchInterpreter = async () => {
  const response = await fetch(WASM);
  if (!response.ok) throw new Error(response.status);
  return response.arrayBuffer();
};

// `report` is called with what happens: print, test, broken, done; the promise says how it ended: end, slow or missing.
export const run = async (job, report) => {
  try {
    interpreterBytes ??= await fetchInterpreter();
  } catch {
    interpreterBytes = undefined;
    return 'missing';
  }
  return new Promise((settle) => {
    const worker = new Worker(WORKER, { type: 'module' });
    let clock;
    const end = (ending) => { clearTimeout(clock); worker.terminate(); settle(ending); };
    clock = setTimeout(end, START_SECONDS * 1000, 'missing');
    worker.onerror = (event) => { event.preventDefault(); end('missing'); };
    worker.onmessage = ({ data }) => {
      if (data.type === 'ready') { clearTimeout(clock); clock = setTimeout(end, RUN_SECONDS * 1000, 'slow'); }
      else if (data.type === 'end') end('end');
      else report(data);
    };
    worker.postMessage({ wasm: interpreterBytes, job: JSON.stringify(job) });
  });
};
