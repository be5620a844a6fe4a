// Worker: answers each job of the page (see `answerTo`).

onmessage = async ({ data }) => {
  try {
    postMessage(await answerTo(data));
  } catch (error) {
    postMessage({ error: String(error.message) });
  }
};
