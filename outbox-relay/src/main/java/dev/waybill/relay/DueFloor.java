package dev.waybill.relay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Up to where a relay has moved the rows of one destination that wait for their time, so that it need not cross
 * again what it has moved: no vacuum removes that while an old snapshot lives. Not thread-safe.
 *
 * <p>Invariant: a row at or below {@link #place()} whose writer {@link #snapshot()} sees is gone, or it is one of
 * those that were left because somebody holds on to them. All others are found above the place, or by their
 * writers.
 *
 * <p>Nothing of it is stored. A relay that starts, or that cannot prove that the server is still the one that it
 * looked at, looks from the beginning once.
 */
final class DueFloor {
    private final String destination;
    private final Map<String, Place> sessions = new LinkedHashMap<>();
    private final Map<Long, String> loose = new LinkedHashMap<>();
    private Place place = Place.START;
    private @Nullable String snapshot;

    DueFloor(String destination) {
        this.destination = destination;
    }

    String destination() {
        return destination;
    }

    Place place() {
        return place;
    }

    /** The snapshot of the last look; null before the first. */
    @Nullable String snapshot() {
        return snapshot;
    }

    /**
     * All that the snapshot sees up to the place, and no left row, is gone. The place may be lower than before.
     */
    void reach(Place newPlace, String newSnapshot) {
        place = newPlace;
        snapshot = newSnapshot;
    }

    /** The session's rows from this place on wait for somebody who holds on to them. */
    void leave(String session, Place first) {
        sessions.remove(session);
        sessions.put(session, first);
    }

    /** A row without session waits for somebody who holds on to it. */
    void leave(long id, String tid) {
        loose.put(id, tid);
    }

    /** Nothing of the session is left. */
    void done(String session) {
        sessions.remove(session);
    }

    /** Nothing is left of these rows without session. */
    void done(Collection<Long> ids) {
        loose.keySet().removeAll(ids);
    }

    boolean hasLeft() {
        return !sessions.isEmpty() || !loose.isEmpty();
    }

    boolean hasLeft(@Nullable String session) {
        return session != null && sessions.containsKey(session);
    }

    /** From where on the session's rows wait. */
    Place left(String session) {
        return sessions.getOrDefault(session, Place.START);
    }

    /** The sessions that were left, those first that were not tried for longest. */
    List<String> sessions() {
        return new ArrayList<>(sessions.keySet());
    }

    /**
     * The rows without session that were left, by their ids, and where in the table they are; rewritten they are
     * new.
     */
    Map<Long, String> loose() {
        return Map.copyOf(loose);
    }

    /**
     * A place in the order in which rows are due.
     *
     * @param due as PostgreSQL writes it, which loses nothing
     * @param id tells rows apart that are due at the same time
     */
    record Place(String due, long id) {
        static final Place START = new Place("-infinity", -1);

        /** After everything that is due then. */
        static Place after(String due) {
            return new Place(due, Long.MAX_VALUE);
        }
    }
}
