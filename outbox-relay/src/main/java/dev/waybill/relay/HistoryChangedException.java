package dev.waybill.relay;

/**
 * The database's counters are behind what has been recorded: the sequence was restarted, or rows were restored into
 * another cluster. Publishing on would skip or repeat messages, so the relay stands still until {@link OutboxHistory} has
 * been rebased.
 */
public final class HistoryChangedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final String evidence;

    HistoryChangedException(String evidence) {
        super("The outbox's history has changed: " + evidence
                + ". Messages could be skipped; stop all relays, find out what was restored, then rebase the outbox");
        this.evidence = evidence;
    }

    String evidence() {
        return evidence;
    }
}
