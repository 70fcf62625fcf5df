package dev.waybill.relay.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.lease.NewTables;
import dev.waybill.relay.loop.Broker.Arrival;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What was committed, in the order of each session: written down in the transactions themselves, whose row lock on the session's
 * counter is held until they end.
 */
final class History {
    private final NewTables tables;
    private final AtomicLong ids = new AtomicLong();

    History(NewTables tables) {
        this.tables = tables;
        tables.execute("create table $.truth (session text, k bigint, message_id text, primary key (session, k))");
        tables.execute("create table $.counter (session text primary key, k bigint not null default 0)");
    }

    /** Appends by the function, or by a plain insert that locks the session. */
    void append(Connection tx, String destination, @Nullable String session, boolean plain) throws SQLException {
        String id = "m" + ids.incrementAndGet();
        String name = session == null ? "null" : "'" + session + "'";
        if (plain) {
            tables.execute(
                    tx,
                    lock(destination, session)
                            + "insert into $.outbox_message (destination, session_id, message_id, payload) values ('"
                            + destination
                            + "', " + name + ", '" + id + "', '\\x01')");
        } else {
            tables.execute(tx, "select $.outbox_append('" + destination + "', " + name + ", '" + id + "', '\\x01')");
        }
        record(tx, destination, session, id, 1);
    }

    /** Appends many to one session. */
    void appendMany(Connection tx, String destination, String session, int count) throws SQLException {
        String id = "m" + ids.incrementAndGet() + "_";
        tables.execute(
                tx,
                lock(destination, session)
                        + "insert into $.outbox_message (destination, session_id, message_id, payload) select '"
                        + destination
                        + "', '" + session + "', '" + id + "' || n, '\\x01' from generate_series(1, " + count
                        + ") n order by n");
        record(tx, destination, session, id, count);
    }

    private static String lock(String destination, @Nullable String session) {
        return session == null
                ? ""
                : "select pg_advisory_xact_lock(1463900482, hashtext('" + destination + "' || chr(31) || '" + session
                        + "'));";
    }

    private void record(Connection tx, String destination, @Nullable String session, String id, int count)
            throws SQLException {
        String key = session == null ? destination + "/" + id : destination + "/" + session;
        tables.execute(
                tx,
                "with c as (insert into $.counter as c values ('" + key + "', " + count
                        + ") on conflict (session) do update set k = c.k + " + count + " returning k)"
                        + " insert into $.truth select '" + key + "', c.k - " + count + " + n, '" + id
                        + (count == 1 ? "'" : "' || n") + " from c, generate_series(1, " + count + ") n");
    }

    /** Each session arrived, or is held, in the order of its commits, and nothing else did. */
    void verify(List<Arrival> arrivals) {
        Map<String, List<String>> truth = new LinkedHashMap<>();
        tables.fetch("select session, message_id from $.truth order by session, k")
                .forEach(row -> truth.computeIfAbsent((String) row.get(0), name -> new ArrayList<>())
                        .add((String) row.get(1)));
        Map<String, Set<String>> arrived = new HashMap<>();
        Map<Long, String> idOfValue = new HashMap<>();
        for (Arrival arrival : arrivals) {
            String id = arrival.row().messageId();
            String key = arrival.destination() + "/"
                    + (arrival.row().sessionId() == null ? id : arrival.row().sessionId());
            arrived.computeIfAbsent(key, name -> new LinkedHashSet<>()).add(id);
            assertThat(idOfValue.merge(arrival.row().seq(), id, (before, now) -> now))
                    .isEqualTo(id);
        }
        Set<String> held = new HashSet<>(
                tables.fetch("select message_id from $.outbox_held_message").getValues(0, String.class));
        assertThat(truth.keySet()).as("arrivals that nobody committed").containsAll(arrived.keySet());
        truth.forEach(
                (session, committed) -> verify(session, committed, arrived.getOrDefault(session, Set.of()), held));
    }

    private static void verify(String session, List<String> committed, Set<String> arrived, Set<String> held) {
        assertThat(committed)
                .as("arrivals of %s that nobody committed", session)
                .containsAll(arrived);
        Set<String> missing = new LinkedHashSet<>(committed);
        missing.removeAll(arrived);
        missing.removeAll(held);
        assertThat(missing).as("missing of %s", session).isEmpty();
        List<String> expected = committed.stream().filter(arrived::contains).toList();
        assertThat(List.copyOf(arrived)).as("first arrivals of %s", session).isEqualTo(expected);
        List<String> unsent =
                committed.stream().filter(id -> !arrived.contains(id)).toList();
        if (!unsent.isEmpty()) {
            assertThat(unsent)
                    .as("what is held of %s is its end", session)
                    .isEqualTo(committed.subList(committed.indexOf(unsent.get(0)), committed.size()));
        }
    }
}
