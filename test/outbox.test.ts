import { describe, expect, test } from "vitest";
import { type Delivery, Outbox } from "../src/outbox.ts";
import type { Page } from "../src/page.ts";
import type { Skip } from "../src/result.ts";

function skip(url: string): Skip {
  return { type: "skip", url, reason: "scope" };
}

function delivery(url: string, acknowledge: Delivery["acknowledge"] = async () => {}): Delivery {
  return { result: skip(url), acknowledge };
}

describe("Outbox", () => {
  test("gives results in the order in which they came, to a reader that waits and to one that comes later", async () => {
    const outbox = new Outbox();
    const first = outbox.next();
    outbox.push(delivery("1"));
    outbox.push(delivery("2"));
    expect((await first)?.url).toBe("1");
    await outbox.acknowledge();
    expect((await outbox.next())?.url).toBe("2");
  });

  test("counts what waits for the reader, and not what the reader has", async () => {
    const outbox = new Outbox();
    expect([outbox.unread, outbox.isIdle]).toEqual([0, true]);
    outbox.push(delivery("1"));
    expect([outbox.unread, outbox.isIdle]).toEqual([1, false]);
    await outbox.next();
    expect([outbox.unread, outbox.isIdle]).toEqual([0, false]);
    await outbox.acknowledge();
    expect([outbox.unread, outbox.isIdle]).toEqual([0, true]);
  });

  test("acknowledges each result once, when the reader asks for more", async () => {
    const outbox = new Outbox();
    const ended: string[] = [];
    outbox.push(delivery("1", async ({ result }) => void ended.push(result.url)));
    await outbox.acknowledge();
    await outbox.next();
    expect(ended).toEqual([]);
    await outbox.acknowledge();
    await outbox.acknowledge();
    expect(ended).toEqual(["1"]);
  });

  test("is not idle while an acknowledgement runs, and stays so where it fails", async () => {
    const outbox = new Outbox();
    let end = (): void => {};
    outbox.push(
      delivery(
        "1",
        () =>
          new Promise((_, reject) => {
            end = () => reject(new Error("the store is gone"));
          }),
      ),
    );
    await outbox.next();
    const acknowledged = outbox.acknowledge();
    expect(outbox.isIdle).toBe(false);
    end();
    await expect(acknowledged).rejects.toThrow("the store is gone");
    expect(outbox.isIdle).toBe(false);
  });

  test("held() tells a delivery as long as the reader has not asked for more, and of no other result", async () => {
    const outbox = new Outbox();
    const [one, two] = [delivery("1", () => new Promise(() => {})), delivery("2")];
    outbox.push(one);
    outbox.push(two);
    expect(outbox.held(one.result as unknown as Page)).toBeUndefined();
    await outbox.next();
    expect(outbox.held(one.result as unknown as Page)).toBe(one);
    expect(outbox.held(two.result as unknown as Page)).toBeUndefined();
    void outbox.acknowledge();
    expect(outbox.held(one.result as unknown as Page)).toBeUndefined();
  });

  test("close() ends a wait, and every later one once all is read", async () => {
    const outbox = new Outbox();
    const waiting = outbox.next();
    outbox.close();
    expect(await waiting).toBeUndefined();
    outbox.push(delivery("late"));
    expect((await outbox.next())?.url).toBe("late");
    expect(await outbox.next()).toBeUndefined();
  });
});
