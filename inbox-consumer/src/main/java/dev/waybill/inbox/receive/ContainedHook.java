package dev.waybill.inbox.receive;

import dev.waybill.inbox.BrokerSession;
import dev.waybill.inbox.SessionHook;
import dev.waybill.inbox.lock.WorkerClock;

/** A hook whose interrupts left behind are no business of the session that it was told of. */
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
