package dev.waybill.inbox;

import dev.waybill.migrations.SchemaName;
import java.sql.SQLException;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows whether a process of this consumer has died of late without saying goodbye. The broker does not tell: a connection
 * that ends gives its sessions back, and no message's delivery count rises by that. Thread-safe.
 */
final class Instances {
    private static final Logger LOG = LoggerFactory.getLogger(Instances.class);

    private final UUID id = UUID.randomUUID();
    private final Database database;
    private final String consumer;
    private final String beat;
    private final String dead;
    private final String leave;
    private volatile boolean suspicious;

    Instances(Database database, SchemaName schema, String consumer) {
        this.database = database;
        this.consumer = consumer;
        String table = schema.table("inbox_instance");
        beat = "with old as (delete from " + table
                + " where alive_until < clock_timestamp() - interval '10 minutes'),"
                + " known as (insert into " + schema.table("inbox_consumer")
                + " (name) values (?) on conflict do nothing)"
                + " insert into " + table + " (id, consumer, alive_until)"
                + " values (?, ?, clock_timestamp() + interval '10 seconds')"
                + " on conflict (id) do update set alive_until = excluded.alive_until";
        dead = "select count(*) from " + table + " where consumer = ? and alive_until < clock_timestamp()";
        leave = "delete from " + table + " where id = ?";
    }

    /** Says that this process lives, and looks who does not. Every few seconds. */
    void beat() throws SQLException {
        database.update(beat, consumer, id, consumer);
        suspicious = database.number(dead, consumer) > 0;
    }

    /** Whether some message is under suspicion of having ended a process in the last ten minutes. */
    boolean isSuspicious() {
        return suspicious;
    }

    void leave() {
        try {
            database.update(leave, id);
        } catch (SQLException e) {
            LOG.warn("Consumer '{}' could not say goodbye, and counts as killed for ten minutes", consumer, e);
        }
    }
}
