package dev.waybill.relay;

import dev.waybill.schema.Grants;
import dev.waybill.schema.SchemaName;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;

/** The grants that a relay needs, which {@code Role.RELAY} has. */
public final class RelayGrants {
    private static final List<String> EXECUTE = List.of("execute");

    // Every role may call these functions, unless a hardened server has withdrawn that.
    private static final Map<String, List<String>> NEEDED = Map.ofEntries(
            Map.entry("outbox_destination", List.of("insert", "select", "update")),
            Map.entry("outbox_held_message", List.of("delete", "insert", "select", "update")),
            Map.entry("outbox_hold", List.of("delete", "insert", "select", "update")),
            Map.entry("outbox_message", List.of("delete", "insert", "select")),
            Map.entry("outbox_scheduled", List.of("delete", "select", "update")),
            Map.entry("outbox_seq", List.of("select", "update", "usage")),
            Map.entry("relay", List.of("delete", "insert", "select", "update")),
            Map.entry("pg_catalog.pg_current_wal_flush_lsn()", EXECUTE),
            Map.entry("pg_catalog.pg_current_wal_insert_lsn()", EXECUTE),
            Map.entry("pg_catalog.pg_stat_get_bgwriter_stat_reset_time()", EXECUTE),
            Map.entry("pg_catalog.pg_postmaster_start_time()", EXECUTE),
            Map.entry("pg_catalog.pg_logical_emit_message(boolean, text, text)", EXECUTE),
            Map.entry("pg_catalog.pg_logical_emit_message(boolean, text, text, boolean)", EXECUTE),
            Map.entry("pg_catalog.pg_notify(text, text)", EXECUTE));

    private RelayGrants() {}

    /** The grants that the current role lacks, by object. Omits objects that do not exist. */
    public static List<Grants.Missing> missing(DSLContext dsl, SchemaName schema) {
        return Grants.missing(dsl, schema, NEEDED);
    }

    /** Checks all grants at the start, because some are needed only for refused messages. */
    static void require(DSLContext dsl, SchemaName schema) {
        Grants.require(dsl, schema, "relay", NEEDED);
    }
}
