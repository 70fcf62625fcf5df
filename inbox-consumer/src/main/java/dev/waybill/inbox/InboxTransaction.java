package dev.waybill.inbox;

import org.jooq.DSLContext;

/** Records and handles one message in one transaction. Thread-safe. */
final class InboxTransaction {
    private final DSLContext dsl;
    private final Inbox inbox;
    private final String consumer;
    private final Handler handler;

    InboxTransaction(DSLContext dsl, Inbox inbox, String consumer, Handler handler) {
        this.dsl = dsl;
        this.inbox = inbox;
        this.consumer = consumer;
        this.handler = handler;
    }

    /**
     * Committed if the result says done; otherwise nothing remains, neither effects nor the id.
     *
     * @throws Exception what the handler or the database threw, as it was thrown
     */
    Result process(InboundMessage message) throws Exception {
        try {
            return dsl.transactionResult(tx -> recordAndHandle(tx.dsl(), message));
        } catch (NotDone notDone) {
            return new Result(false, notDone.verdict);
        } catch (HandlerFailed failed) {
            throw failed.thrown;
        }
    }

    private Result recordAndHandle(DSLContext tx, InboundMessage message) {
        if (!inbox.firstTime(tx, consumer, message.id())) {
            return new Result(true, Verdict.done());
        }
        Verdict verdict = handle(tx, message);
        if (verdict != Verdict.done()) {
            throw new NotDone(verdict);
        }
        return new Result(false, verdict);
    }

    // jOOQ wraps checked exceptions in one of its own, and the dead letter's reason is to be the handler's.
    private Verdict handle(DSLContext tx, InboundMessage message) {
        try {
            return handler.handle(tx, message);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new HandlerFailed(e);
        }
    }

    /** What came of it; a duplicate was not handed to the handler. */
    record Result(boolean duplicate, Verdict verdict) {}

    /** Makes jOOQ roll back; never leaves this class. */
    private static final class NotDone extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Verdict verdict;

        NotDone(Verdict verdict) {
            super(null, null, false, false);
            this.verdict = verdict;
        }
    }

    /** Carries a checked exception past jOOQ; never leaves this class. */
    private static final class HandlerFailed extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final Exception thrown;

        HandlerFailed(Exception thrown) {
            super(thrown);
            this.thrown = thrown;
        }
    }
}
