package dev.waybill.schema;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** Finds grants that the current role lacks, so that it is told at the start and not by a statement that is rarely needed. */
public final class Grants {
    private Grants() {}

    /** A privilege, as in a GRANT, on a table, a sequence or a function. */
    public record Missing(String privilege, String object) {
        @Override
        public String toString() {
            return privilege + " on " + object;
        }

        /** Whether only a superuser can grant it, because the function belongs to the server. */
        public boolean isOfServer() {
            return object.startsWith("pg_catalog.");
        }

        /**
         * The statement that grants it.
         *
         * @param role with its quotes
         */
        public String statement(SchemaName schema, String role) {
            boolean isFunction = object.endsWith(")");
            String kind = isFunction ? "function " : object.endsWith("_seq") ? "sequence " : "";
            return "grant " + privilege + " on " + kind + (isFunction ? object : schema.table(object)) + " to " + role;
        }
    }

    /**
     * The missing grants, by object. Omits objects that do not exist.
     *
     * @param needed privileges by table or sequence of the schema, or by function with its arguments, such as {@code now()}
     */
    public static List<Missing> missing(DSLContext dsl, SchemaName schema, Map<String, List<String>> needed) {
        String[] objects = needed.entrySet().stream()
                .flatMap(need -> need.getValue().stream().map(privilege -> need.getKey()))
                .toArray(String[]::new);
        String[] privileges = needed.values().stream().flatMap(List::stream).toArray(String[]::new);
        return dsl.fetch(LACKING, DSL.val(objects), DSL.val(privileges), DSL.val(schema.table("")))
                .map(row -> new Missing(row.get("privilege", String.class), row.get("object", String.class)));
    }

    /** Throws an {@link IllegalStateException} with the statement that the owner must run, if a grant is missing. */
    public static void require(DSLContext dsl, SchemaName schema, String role, Map<String, List<String>> needed) {
        List<Missing> missing = missing(dsl, schema, needed);
        if (missing.isEmpty()) {
            return;
        }
        String user = user(dsl);
        throw new IllegalStateException("The " + role + "'s role " + user + " lacks "
                + missing.stream().map(Missing::toString).collect(Collectors.joining(", ")) + ". Run as "
                + (missing.stream().anyMatch(Missing::isOfServer) ? "a superuser: " : "the tables' owner: ")
                + missing.stream().map(each -> each.statement(schema, user)).collect(Collectors.joining("; "))
                + ". All of its grants: " + command(schema, role, user));
    }

    /** The current role with the quotes that SQL needs. */
    public static String user(DSLContext dsl) {
        return dsl.fetchSingle("select quote_ident(current_user)").get(0, String.class);
    }

    /** The command that gives a database role all its grants. */
    public static String command(SchemaName schema, String role, String user) {
        return "waybill-relay grants print " + role + " --schema " + schema + " --to " + user + " | psql";
    }

    private static final String LACKING = """
            select n.privilege, n.object
            from unnest({0}::text[], {1}::text[]) as n (object, privilege)
            where case
                when n.object like '%)' then has_function_privilege(to_regprocedure(n.object)::oid, n.privilege)
                when n.object like '%\\_seq' then has_sequence_privilege(to_regclass({2} || n.object)::oid, n.privilege)
                else has_table_privilege(to_regclass({2} || n.object)::oid, n.privilege)
              end is false
            order by n.object collate "C", n.privilege collate "C"
            """;
}
