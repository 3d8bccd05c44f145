// What several scripts ask of a field, and where words are kept that are not sent.
const isChoice = (field) => field.matches('[type=radio], [type=checkbox]');
const isWritten = (field) => {
  if (field.matches('select')) return field.selectedOptions[0] !== (field.querySelector('[selected]') ?? field.options[0]);
  return isChoice(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
};

// Words are kept under the key of who wrote them (cookies.py), so that who signs in after them finds none, also where
// their sign-in has ended by itself. Those of an account stay on its device; those of anybody else, and of all who
// share a device, go with their tab.
const unsentWords = (() => {
  const LEFT_KEY = 'left'; // when somebody last left this browser to another: known to all of its tabs
  const WORDS = /^(typed |tangxu-code:)/;
  const cookieKey = () => document.cookie.match(/(?:^|; )learner=([\w-]+)/)?.[1] ?? '';
  const stampIn = (storage) => storage.getItem(LEFT_KEY) ?? '';
  let tab;
  let device;
  try { [tab, device] = [sessionStorage, localStorage]; stampIn(device); } catch { return null; } // a browser that keeps nothing
  const learner = document.querySelector('.leave') ? cookieKey() : '';
  const isShared = /^(shared-|$)/.test(learner);
  const storage = isShared ? tab : device;
  const withoutDevice = (key) => key.replace('shared-', ''); // who signs in again may have ticked 公用电脑 or not
  const nameOf = (name) => withoutDevice(learner) + (learner && ' ') + name;

  // The next one at this computer finds an empty desk in each of its tabs.
  const leave = () => {
    device.clear();
    device.setItem(LEFT_KEY, `${Date.now()}`);
  };
  let lastLeave = stampIn(device);
  // In another tab somebody may have left, or come, since this page came: what is typed here now is not its learner's.
  const isOfOther = () => stampIn(device) !== lastLeave || (learner !== '' && withoutDevice(cookieKey()) !== withoutDevice(learner));
  const clearLeftTab = () => {
    lastLeave = stampIn(device);
    if (lastLeave === stampIn(tab)) return;
    tab.clear();
    tab.setItem(LEFT_KEY, lastLeave);
  };
  // On a full device the words of questions that nobody went back to make room.
  const put = (name, text) => {
    const key = nameOf(name);
    const isOlder = (other) => other !== key && other.startsWith(nameOf('typed '));
    try { storage.setItem(key, text); } catch {
      Object.keys(storage).filter(isOlder).forEach((older) => storage.removeItem(older));
      storage.setItem(key, text);
    }
  };
  // Who has written first and signed in then goes on with it; code was once kept for all tabs of a device.
  const takeOver = (name, from) => {
    const text = from.getItem(name);
    if (text === null) return;
    try {
      put(name, text);
      from.removeItem(name);
    } catch { /* it is full: the text stays where it is */ }
  };
  const takeOverTab = () => {
    if (learner) Object.keys(tab).filter((name) => WORDS.test(name)).forEach((name) => takeOver(name, tab));
  };
  return {
    leave,
    open: () => { clearLeftTab(); takeOverTab(); },
    isOfOther,
    read: (name) => {
      if (isOfOther()) return null;
      takeOver(name, device);
      return storage.getItem(nameOf(name));
    },
    keep: (name, text) => { try { if (!isOfOther()) put(name, text); } catch { /* it is full */ } },
    forget: (name) => storage.removeItem(nameOf(name)),
  };
})();
