package dev.waybill.relay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Up to where a relay has moved the rows of one destination that wait for their time, so that it need not cross
 * again what it has moved: no vacuum removes that while an old snapshot lives. Not thread-safe.
 *
 * <p>Invariant: a row at or below {@link #place()} whose writer {@link #snapshot()} sees is gone, or it is one of
 * those that were left because somebody holds on to them: of a session, those from the first on that was left. All others
 * are found above the place, or by their writers.
 *
 * <p>Nothing of it is stored. A relay that starts, or that cannot prove that the server is still the one that it
 * looked at, looks from the beginning once.
 */
final class DueFloor {
    private final String destination;
    private final Map<String, Place> sessions = new LinkedHashMap<>();
    private final Set<Long> loose = new LinkedHashSet<>();
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

    /** A row has come to a session that was left, and waits with the others. */
    void join(String session, Place row) {
        sessions.merge(session, row, (left, late) -> late.compareTo(left) < 0 ? late : left);
    }

    /** A row without session waits for somebody who holds on to it. */
    void leave(long id) {
        loose.remove(id);
        loose.add(id);
    }

    /** Nothing of the session is left. */
    void done(String session) {
        sessions.remove(session);
    }

    /** The row without session is gone. */
    void done(long id) {
        loose.remove(id);
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

    boolean hasLeftSessions() {
        return !sessions.isEmpty();
    }

    /** The sessions that were left. */
    List<String> sessions() {
        return new ArrayList<>(sessions.keySet());
    }

    /** So many of the sessions that were left, those first that were not tried for longest. */
    List<String> sessions(int limit) {
        return sessions.keySet().stream().limit(limit).toList();
    }

    /** So many of the rows without session that were left, by their ids, those first that were not tried for longest. */
    List<Long> loose(int limit) {
        return loose.stream().limit(limit).toList();
    }

    /**
     * A place in the order in which rows are due.
     *
     * @param due as PostgreSQL writes it, which loses nothing
     * @param micros the same since 1970, to compare with
     * @param id tells rows apart that are due at the same time
     */
    record Place(String due, long micros, long id) implements Comparable<Place> {
        static final Place START = new Place("-infinity", Long.MIN_VALUE, -1);

        private static final Comparator<Place> ORDER =
                Comparator.comparingLong(Place::micros).thenComparingLong(Place::id);

        /** After everything that is due then. */
        static Place after(String due, long micros) {
            return new Place(due, micros, Long.MAX_VALUE);
        }

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }
    }
}
