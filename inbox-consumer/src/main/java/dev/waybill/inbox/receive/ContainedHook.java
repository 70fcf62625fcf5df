package dev.waybill.inbox.receive;

import dev.waybill.inbox.BrokerSession;
import dev.waybill.inbox.SessionHook;
import dev.waybill.inbox.lock.WorkerClock;

/** Clears interrupts that a hook leaves behind. */
public record ContainedHook(SessionHook hook, WorkerClock clock) implements SessionHook {
    @Override
    public void accepted(BrokerSession session) {
        try {
            hook.accepted(session);
        } finally {
            clock.dropStrayInterrupt();
        }
    }

    @Override
    public void releasing(BrokerSession session) {
        try {
            hook.releasing(session);
        } finally {
            clock.dropStrayInterrupt();
        }
    }
}
