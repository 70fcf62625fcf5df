package dev.waybill.relay.schedule;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How one transaction treats due rows.
 *
 * @param chosen rows to move
 * @param locked rows that another transaction has locked, each the first of its session
 * @param busy rows whose session is locked by appends, each the first of its session
 * @param full whether more rows may be due
 * @param excluded whether the transaction timed out on a lock and found nothing
 */
record Page(List<Due> chosen, List<Due> locked, List<Due> busy, boolean full, boolean excluded) {
    /** Most bytes of bodies, but at least one row. */
    static final int MOST_BYTES = 4 << 20;

    static final Page EXCLUDED = new Page(List.of(), List.of(), List.of(), false, true);

    /** A row, in due order, may move if it and its session are locked, and no earlier row of the session stays. */
    static Page of(List<Found> found, Set<String> free, int limit) {
        var page = new Page(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), found.size() == limit, false);
        var blocked = new HashSet<String>();
        long bytes = 0;
        for (Found row : found) {
            @Nullable String session = row.due().session();
            if (session != null && blocked.contains(session)) {
                continue;
            }
            List<Due> place = page.place(row, free);
            bytes += place == page.chosen ? row.bytes() : 0;
            if (bytes > MOST_BYTES && !page.chosen.isEmpty()) {
                return new Page(page.chosen, page.locked, page.busy, true, false);
            }
            if (place != page.chosen && session != null) {
                blocked.add(session);
            }
            place.add(row.due());
        }
        return page;
    }

    private List<Due> place(Found found, Set<String> free) {
        if (!found.locked()) {
            return locked;
        }
        @Nullable String session = found.due().session();
        return session == null || free.contains(session) ? chosen : busy;
    }

    int moved() {
        return chosen.size();
    }

    /** @param locked by the mover, not by another transaction */
    record Found(Due due, boolean locked, int bytes) {}

    /**
     * @param session its key
     * @param place the row's ctid, valid while it is locked
     */
    record Due(
            String destination, String messageId, @Nullable String session, String place) {}

    /** Rows to exclude: by session, or by message if they have none. */
    record Excluded(Set<String> sessions, Set<String> messages) {
        static final Excluded NONE = new Excluded(Set.of(), Set.of());

        void add(Due row) {
            if (row.session() == null) {
                messages.add(row.messageId());
            } else {
                sessions.add(row.session());
            }
        }
    }
}
