/**
 * @file Calls of the service: its key, which is kept in memory alone, and what it says is wrong.
 */

/** What is wrong with a request, as the service says it. */
class Problem extends Error {
  constructor(message, field = null) {
    super(message);
    this.field = field;
  }
}

class ServiceCalls {
  /** @param {(message: string) => Promise<string|null>} askKey  Asks for the key; null: none. */
  constructor(askKey) {
    this.askKey = askKey;
    this.key = null;
    this.asking = null;
  }

  get(path) { return this.ask(path, {}); }

  post(path, body, signal) {
    return this.ask(path, {
      method: "POST", body: bodyOf(body), signal, headers: { "Content-Type": "application/json" },
    });
  }

  async ask(path, request) {
    const key = this.key;
    const answer = await this.send(path, request);
    if (answer.status === 401) {
      // Two calls may be refused at once, and one of them may have asked already.
      if (this.key === key) {
        const { message } = await problemOf(answer);
        this.asking ??= this.askKey(message).finally(() => { this.asking = null; });
        const given = await this.asking;
        if (given === null) throw new Problem(message);
        this.key = given;
      }
      return this.ask(path, request);
    }
    if (!answer.ok) throw await problemOf(answer);
    return answer.json();
  }

  async send(path, request) {
    const own = this.key === null ? {} : { Authorization: `Bearer ${this.key}` };
    try {
      return await fetch(path, { ...request, headers: { ...request.headers, ...own }, cache: "no-store" });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Problem("The service does not answer.");
    }
  }
}

/** A body as JSON; its `data` may be a blob of characters that JSON writes as they are. */
function bodyOf({ data, ...rest }) {
  if (!(data instanceof Blob)) return JSON.stringify(data === undefined ? rest : { data, ...rest });
  return new Blob(['{"data":"', data, '",', JSON.stringify(rest).slice(1)]);
}

async function problemOf(answer) {
  try {
    const { error } = await answer.json();
    return new Problem(error.message, error.field);
  } catch {
    return new Problem(`The service answers with the status ${answer.status}.`);
  }
}
