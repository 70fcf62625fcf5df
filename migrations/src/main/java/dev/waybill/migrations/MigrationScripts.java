package dev.waybill.migrations;

import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SchemaVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The scripts as text, in order, for those who apply them with a tool of their own. Asks no database. */
final class MigrationScripts {
    static final String LOCATION = "dev/waybill/migrations/sql";

    /** By name, because a class path cannot be listed everywhere. */
    static final List<String> NAMES = List.of(
            "V1__outbox.sql",
            "V2__inbox.sql",
            "V3__holds.sql",
            "V4__scheduled_and_claims.sql",
            "V5__inbox_consumer.sql",
            "V6__dead_letters.sql",
            "V8__operations.sql",
            "V9__relay.sql",
            "V10__append.sql",
            "V11__scheduled.sql",
            "V12__sessions.sql",
            "V13__dead_letters.sql",
            "V14__deferral.sql",
            "V15__upgrades.sql",
            "V16__message_events.sql",
            "V17__entities.sql",
            "V18__console.sql",
            "V19__statistics.sql",
            "V20__overdue.sql",
            "V21__large_transactions.sql",
            "V22__late_backlog.sql",
            "V23__late_progress.sql");

    private MigrationScripts() {}

    static String between(SchemaName schema, int from, int to) {
        require(from);
        require(to);
        if (from > to) {
            throw new IllegalArgumentException("There is no way back from version " + from + " to version " + to);
        }
        var script =
                new StringBuilder("create schema if not exists " + schema + ";\nset search_path to " + schema + ";\n");
        for (String name : NAMES) {
            if (version(name) > from && version(name) <= to) {
                script.append("\n-- ").append(name).append('\n').append(read(name));
            }
        }
        return script.toString();
    }

    private static void require(int version) {
        if (version < 0 || version > SchemaVersion.CURRENT) {
            throw new IllegalArgumentException(
                    "The tables have versions from 0, for none yet, to " + SchemaVersion.CURRENT + ", not " + version);
        }
    }

    static int version(String name) {
        return Integer.parseInt(name.substring(1, name.indexOf("__")));
    }

    private static String read(String name) {
        String script = LOCATION + "/" + name;
        try (InputStream in = Migrations.class.getClassLoader().getResourceAsStream(script)) {
            if (in == null) {
                throw new IllegalStateException("Migration " + script + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Migration " + script + " cannot be read", e);
        }
    }
}
