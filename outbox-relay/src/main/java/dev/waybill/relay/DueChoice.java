package dev.waybill.relay;

import dev.waybill.relay.DueFloor.Place;
import dev.waybill.relay.ScheduledTable.Due;
import dev.waybill.relay.ScheduledTable.Moment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which of the due rows that one transaction has read may move, and what their floor is to know of the others. A row may if it
 * is locked for us, its session too, and no earlier row of the session stays behind. Not thread-safe.
 */
final class DueChoice {
    private final List<Due> rows;
    private final boolean full;
    private final List<Due> chosen = new ArrayList<>();
    private final Map<String, Place> blocked = new LinkedHashMap<>();
    private final Map<String, Place> last = new HashMap<>();
    private final Map<Long, String> stuck = new HashMap<>();

    /** @param rows in the order in which they are due */
    DueChoice(List<Due> rows, int limit) {
        this.rows = rows;
        this.full = rows.size() == limit;
    }

    /** Whether more rows may be due. */
    boolean isFull() {
        return full;
    }

    List<Due> chosen() {
        return chosen;
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

    /** Chooses among rows beyond a floor. A row that comes late to a session that was left joins it, wherever its place is. */
    void choose(Set<String> free, DueFloor floor) {
        for (Due due : rows) {
            String session = due.session();
            if (session != null && floor.hasLeft(session)) {
                blocked.put(session, Place.START);
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
                stuck.put(due.id(), due.tid());
            }
        } else if (!blocked.containsKey(session)) {
            if (due.locked() && free.contains(session)) {
                chosen.add(due);
                last.put(session, due.place());
            } else {
                blocked.put(session, due.place());
            }
        }
    }

    /** Notes what was left, and that nothing else is left up to the last row, or up to the present. */
    void note(DueFloor floor, Moment moment) {
        blocked.forEach(floor::leave);
        stuck.forEach(floor::leave);
        Place end = full ? rows.get(rows.size() - 1).place() : Place.after(moment.now());
        floor.reach(end, moment.snapshot());
    }

    /** Notes what is still left of these sessions and rows, all of which were free to be read. */
    void noteLeft(DueFloor floor, Collection<String> sessions, Collection<Long> loose) {
        for (String session : sessions) {
            Place first = blocked.get(session);
            if (first != null) {
                floor.leave(session, first);
            } else if (full) {
                floor.leave(session, last.getOrDefault(session, floor.left(session)));
            } else {
                floor.done(session);
            }
        }
        floor.done(chosen.stream().map(Due::id).toList());
        if (!full) {
            floor.done(loose.stream().filter(id -> !stuck.containsKey(id)).toList());
        }
    }
}
