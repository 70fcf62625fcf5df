package dev.waybill.relay.loop;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/** Statements that take as long as the test wants. At first they take no time. */
final class HeldStatements implements Executor {
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private boolean held;

    @Override
    public void execute(Runnable statement) {
        if (held) {
            waiting.add(statement);
        } else {
            statement.run();
        }
    }

    /** From now on a statement waits until the test runs it. */
    void hold() {
        held = true;
    }

    /** From now on they take no time again. */
    void release() {
        held = false;
    }

    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    /** Runs the statement that waits; the loop takes what it returns in its next turn. */
    void runOne() {
        waiting.remove().run();
    }
}
