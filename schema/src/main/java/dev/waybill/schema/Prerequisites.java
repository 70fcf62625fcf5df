package dev.waybill.schema;

import java.util.List;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** Rejects databases in which Waybill would lose messages without an error. */
public final class Prerequisites {
    private static final String ENCODING = "UTF8";

    private Prerequisites() {}

    /** Throws as {@link #requireEncoding} and {@link #requireAllRows}. */
    public static void require(DSLContext dsl, SchemaName schema) {
        requireEncoding(dsl);
        requireAllRows(dsl, schema);
    }

    /**
     * Throws an {@link IllegalStateException} if the encoding is not UTF8. Others cannot store every text: dead letters with one
     * would stay on the broker. In SQL_ASCII a session's id has another length for the database than for Java.
     */
    public static void requireEncoding(DSLContext dsl) {
        String encoding = encoding(dsl);
        if (!encoding.equals(ENCODING)) {
            throw new IllegalStateException("The database's encoding is " + encoding
                    + ", which cannot store every text that a message may have; use a database with encoding '"
                    + ENCODING + "' (create database … encoding 'UTF8' template template0)");
        }
    }

    /** Throws an {@link IllegalStateException} if row-level security may hide rows from this role. */
    public static void requireAllRows(DSLContext dsl, SchemaName schema) {
        List<String> hiding = hidingTables(dsl, schema);
        if (!hiding.isEmpty()) {
            throw new IllegalStateException("Row level security may hide rows of " + String.join(", ", hiding)
                    + " in schema '" + schema + "' from role '" + role(dsl)
                    + "', and hidden rows would count as missing. Run as the tables' owner: "
                    + hiding.stream()
                            .map(table -> "alter table " + schema.table(table) + " disable row level security")
                            .collect(Collectors.joining("; "))
                    + ". Or give the role bypassrls");
        }
    }

    /** The tables of the schema with row-level security that binds this role. */
    public static List<String> hidingTables(DSLContext dsl, SchemaName schema) {
        return dsl.fetch(HIDING, DSL.val(schema.value())).getValues(0, String.class);
    }

    private static String encoding(DSLContext dsl) {
        return dsl.fetchSingle("select current_setting('server_encoding')").get(0, String.class);
    }

    private static String role(DSLContext dsl) {
        return dsl.fetchSingle("select current_user::text").get(0, String.class);
    }

    private static final String HIDING = """
            select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where n.nspname = {0} and c.relrowsecurity and row_security_active(c.oid)
            order by 1
            """;
}
