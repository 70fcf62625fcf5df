package dev.waybill.relay;

import java.util.Optional;

/**
 * Whether lanes of a destination may be taken over: the recorded cursors must fit the database, those of all destinations,
 * because one that is seldom written to shows less. Compared by each loop, they would take a relay with hundreds of
 * destinations longer to start than everything else; so loops that take lanes over at about the same time share a comparison.
 * Confined to the loop's thread.
 */
final class AdoptionCheck {
    private final OutboxHistory history;
    private final String destination;
    private final SharedCheck comparison;

    /** @param comparison of the cursors of all destinations; shared by the loops of a relay */
    AdoptionCheck(OutboxHistory history, String destination, SharedCheck comparison) {
        this.history = history;
        this.destination = destination;
        this.comparison = comparison;
    }

    /**
     * Compares the cursors of all destinations, or waits for another loop to do so on the same server.
     *
     * @throws HistoryChangedException if a cursor does not fit, or did not when a relay looked
     */
    void require() {
        Optional<String> other = comparison.require(() -> history.require().server());
        // Another loop may still be connected to a primary that was replaced.
        if (other.isPresent() && !other.get().equals(requireOwn())) {
            history.require();
        }
    }

    /**
     * Compares the cursors of this destination alone.
     *
     * @return the server, by a text that no other one has
     * @throws HistoryChangedException if one does not fit, or one of any destination did not when a relay looked
     */
    String requireOwn() {
        return history.require(destination).server();
    }
}
