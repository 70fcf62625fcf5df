package dev.waybill.standalone.database;

import dev.waybill.schema.SchemaName;
import dev.waybill.schema.SchemaVersion;
import dev.waybill.schema.jooq.Waybill;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** Which version of the tables a database has, and whether this program can use them. */
public final class InstalledVersion {
    private static final int SHOWN = 3;

    /** Undefined table, column and function. */
    private static final Set<String> NOT_THERE = Set.of("42P01", "42703", "42883");

    private final DSLContext dsl;
    private final SchemaName schema;

    private InstalledVersion(DSLContext dsl, SchemaName schema) {
        this.dsl = dsl;
        this.schema = schema;
    }

    /** The newest migration that was applied; 0 without tables, or without a history. */
    public static int of(DataSource dataSource, SchemaName schema) {
        var installed = new InstalledVersion(DSL.using(dataSource, SQLDialect.POSTGRES), schema);
        return installed.exists("waybill_migration") ? installed.newest() : 0;
    }

    /**
     * Refuses tables that are missing, or that are older than this program.
     *
     * @return what to say of tables that are newer
     * @throws IllegalStateException saying what is there, what is needed and what to do
     */
    public static Optional<String> require(DataSource dataSource, SchemaName schema) {
        return require(DSL.using(dataSource, SQLDialect.POSTGRES), schema);
    }

    /**
     * The failure to tell: if a table, a column or a function is not there, because the tables are of another version
     * than this program reads, that and what to do; else the failure itself.
     */
    public static RuntimeException explained(DataAccessException failure, DataSource dataSource, SchemaName schema) {
        if (!NOT_THERE.contains(failure.sqlState())) {
            return failure;
        }
        try {
            Optional<String> newer = require(dataSource, schema);
            return newer.isPresent() ? told(new IllegalStateException(newer.get()), failure) : failure;
        } catch (IllegalStateException older) {
            return told(older, failure);
        } catch (DataAccessException e) {
            failure.addSuppressed(e);
            return failure;
        }
    }

    // Not as its cause, which would be taken for the reason.
    private static RuntimeException told(RuntimeException why, DataAccessException failure) {
        why.addSuppressed(failure);
        return why;
    }

    static Optional<String> require(DSLContext dsl, SchemaName schema) {
        return new InstalledVersion(dsl, schema).require();
    }

    private Optional<String> require() {
        if (!exists("outbox_message")) {
            throw new IllegalStateException(
                    "There are no Waybill tables in schema '" + schema
                            + "' that this role may see; run 'waybill-relay migrate up', or grant the role usage of the schema");
        }
        OptionalInt version = isReadable("waybill_migration") ? OptionalInt.of(newest()) : OptionalInt.empty();
        if (version.isEmpty()) {
            requireColumns();
            return Optional.empty();
        }
        int installed = version.getAsInt();
        if (installed < SchemaVersion.CURRENT) {
            throw new IllegalStateException("The tables in schema '" + schema + "' are of version " + installed
                    + ", this program needs " + SchemaVersion.CURRENT + "; run 'waybill-relay migrate up'");
        }
        return installed == SchemaVersion.CURRENT
                ? Optional.empty()
                : Optional.of("The tables in schema '" + schema + "' are of version " + installed
                        + ", this program knows " + SchemaVersion.CURRENT
                        + "; fine while an upgrade is rolled out, else use the program that belongs to them");
    }

    // Those who apply the statements with a tool of their own have no history, and some roles may not read it.
    private void requireColumns() {
        List<String> missing =
                dsl.fetch(MISSING, DSL.val(columns()), DSL.val(schema.value())).getValues(0, String.class);
        if (!missing.isEmpty()) {
            int more = missing.size() - SHOWN;
            throw new IllegalStateException(
                    "The tables in schema '" + schema + "' are not of version "
                            + SchemaVersion.CURRENT + ", which this program needs: they lack "
                            + String.join(", ", missing.subList(0, Math.min(SHOWN, missing.size())))
                            + (more > 0 ? " and " + more + " more columns" : "")
                            + "; run 'waybill-relay migrate up', or apply what 'waybill-relay migrate print-sql --from VERSION' prints");
        }
    }

    private static String[] columns() {
        return Waybill.WAYBILL.getTables().stream()
                .flatMap(table -> table.fieldStream().map(field -> table.getName() + "." + field.getName()))
                .toArray(String[]::new);
    }

    private boolean exists(String table) {
        return dsl.fetchSingle("select to_regclass({0}) is not null", DSL.inline(schema.table(table)))
                .get(0, Boolean.class);
    }

    private boolean isReadable(String table) {
        return dsl.fetchSingle(
                        "select coalesce(has_table_privilege(to_regclass({0})::oid, 'select'), false)",
                        DSL.inline(schema.table(table)))
                .get(0, Boolean.class);
    }

    private int newest() {
        @Nullable Integer version = dsl.fetchSingle(
                        "select max(version::integer) from " + schema.table("waybill_migration") + " where success")
                .get(0, Integer.class);
        return version == null ? 0 : version;
    }

    private static final String MISSING = """
            select unnest({0}) as missing
            except
            select c.relname || '.' || a.attname
            from pg_catalog.pg_attribute a
            join pg_catalog.pg_class c on c.oid = a.attrelid
            join pg_catalog.pg_namespace n on n.oid = c.relnamespace
            where n.nspname = {1} and not a.attisdropped
            order by missing
            """;
}
