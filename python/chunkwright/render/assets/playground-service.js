/**
 * @file Calls of the service: its key, which is kept in memory alone, and what it says is wrong.
 */

/** What is wrong with a request, as the service says it. */
class Problem extends Error {
  /**
   * @param {string} message
   * @param {{field: (string|null), code: (string|null), status: (number|null)}} [said]  The field
   *   that is to blame, the problem's name for programs, and the status of the answer: 0 for none.
   */
  constructor(message, { field = null, code = null, status = null } = {}) {
    super(message);
    Object.assign(this, { field, code, status });
  }

  /** Whether the same may be answered another time. */
  get may_pass() { return this.status === 0 || this.status === 401 || this.status === 429 || this.status >= 500; }
}

class ServiceCalls {
  /** @param {(is_wrong: boolean) => Promise<string|null>} askKey  Asks for the key; null: none. */
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
        this.asking ??= this.askKey(key !== null).finally(() => { this.asking = null; });
        const given = await this.asking;
        if (given === null) throw new Problem("The service needs a key.", { status: answer.status });
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
      throw new Problem("The service does not answer.", { status: 0 });
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
    return new Problem(error.message, { ...error, status: answer.status });
  } catch {
    return new Problem(`The service answers with the status ${answer.status}.`, { status: answer.status });
  }
}
