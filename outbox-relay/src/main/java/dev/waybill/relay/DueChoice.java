package dev.waybill.relay;

import dev.waybill.relay.DueFloor.Place;
import dev.waybill.relay.ScheduledTable.Due;
import dev.waybill.relay.ScheduledTable.Moment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which of the due rows that one transaction has read may move, and what their floor is to know of the others. A row may if it
 * is locked for us, its session too, and no earlier row of the session stays behind. Not thread-safe.
 */
final class DueChoice {
    private final List<Due> rows;
    private final List<Due> chosen = new ArrayList<>();
    private final Map<String, Place> joined = new LinkedHashMap<>();
    private final Map<String, Place> blocked = new LinkedHashMap<>();
    private final Map<String, Chosen> last = new HashMap<>();
    private final Set<Long> stuck = new LinkedHashSet<>();

    /** @param rows in the order in which they are due */
    DueChoice(List<Due> rows) {
        this.rows = rows;
    }

    List<Due> chosen() {
        return chosen;
    }

    /** Whether so many rows were found, and more may be due. */
    boolean isFull(int limit) {
        return rows.size() == limit;
    }

    /** The sessions whose locks are needed. */
    Set<String> sessions(DueFloor floor) {
        var sessions = new HashSet<String>();
        for (Due due : rows) {
            String session = due.session();
            if (session != null && due.locked() && !floor.hasLeft(session)) {
                sessions.add(session);
            }
        }
        return sessions;
    }

    /** Chooses among rows that a floor does not know. One of a session that was left joins it, wherever its place is. */
    void choose(Set<String> free, DueFloor floor) {
        for (Due due : rows) {
            String session = due.session();
            if (session != null && floor.hasLeft(session)) {
                joined.putIfAbsent(session, due.place());
            } else {
                choose(due, free);
            }
        }
    }

    /** Chooses among rows that were left. */
    void choose(Set<String> free) {
        rows.forEach(due -> choose(due, free));
    }

    private void choose(Due due, Set<String> free) {
        String session = due.session();
        if (session == null) {
            if (due.locked()) {
                chosen.add(due);
            } else {
                stuck.add(due.id());
            }
        } else if (!blocked.containsKey(session)) {
            if (due.locked() && free.contains(session)) {
                chosen.add(due);
                last.merge(session, new Chosen(due.place(), 1), Chosen::and);
            } else {
                blocked.put(session, due.place());
            }
        }
    }

    /** Notes what was left, and that nothing else is left up to the last row, or up to the present. */
    void note(DueFloor floor, Moment moment, int limit) {
        joined.forEach(floor::join);
        blocked.forEach(floor::leave);
        stuck.forEach(floor::leave);
        Place end = isFull(limit) ? rows.get(rows.size() - 1).place() : moment.place();
        floor.reach(end, moment.snapshot());
    }

    /**
     * Notes what is still left of these sessions, all of which were free to be read.
     *
     * @param limit how many rows of each were read
     * @param reached whether all up to the floor could be due
     */
    void noteLeft(DueFloor floor, Collection<String> sessions, int limit, boolean reached) {
        for (String session : sessions) {
            Chosen moved = last.getOrDefault(session, new Chosen(floor.left(session), 0));
            Place first = blocked.get(session);
            if (first != null) {
                floor.leave(session, first);
            } else if (moved.count() == limit || !reached) {
                floor.leave(session, moved.place());
            } else {
                floor.done(session);
            }
        }
    }

    /**
     * Notes which of these rows without session are still left.
     *
     * @param reached whether all up to the floor could be due
     */
    void noteLoose(DueFloor floor, Collection<Long> tried, boolean reached) {
        Set<Long> moved = chosen.stream().map(Due::id).collect(Collectors.toSet());
        for (long id : tried) {
            if (stuck.contains(id) || (!reached && !moved.contains(id))) {
                floor.leave(id);
            } else {
                floor.done(id);
            }
        }
    }

    /**
     * The rows of a session that may move.
     *
     * @param place of the last
     */
    private record Chosen(Place place, int count) {
        Chosen and(Chosen next) {
            return new Chosen(next.place(), count + next.count());
        }
    }
}
