package dev.waybill.test.proof;

import dev.waybill.schema.SchemaName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.impl.DSL;

/** Finds the service's tables, and which of their columns can be compared between runs. */
final class Catalog {
    private static final Pattern MADE_ANEW = Pattern.compile(
            "nextval\\(|now\\(|uuid|random|timestamp\\(|timeofday|current_|localtime", Pattern.CASE_INSENSITIVE);

    private static final String TABLES = """
            select c.oid::text as oid, c.oid::regclass::text as name, c.relname as relname
            from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where c.relkind in ('r', 'p') and not c.relispartition
              and n.nspname not in ('information_schema', {0}) and n.nspname not like 'pg\\_%'
            order by 2
            """;

    // A column that refers to one that is made anew is so too; two steps of references are followed.
    private static final String COLUMNS = """
            select a.attname as name, quote_ident(a.attname) as quoted, a.attgenerated <> '' as generated,
              case when a.attidentity <> '' then 'nextval(' else coalesce(pg_get_expr(d.adbin, d.adrelid), '') end as made,
              coalesce((
                select string_agg(
                  case when ra.attidentity <> '' then 'nextval(' else coalesce(pg_get_expr(rd.adbin, rd.adrelid), '') end, ' ')
                from pg_constraint k
                join pg_attribute ra on ra.attrelid = k.confrelid
                  and ra.attnum = k.confkey[array_position(k.conkey, a.attnum)]
                left join pg_attrdef rd on rd.adrelid = ra.attrelid and rd.adnum = ra.attnum
                where k.contype = 'f' and k.conrelid = a.attrelid and a.attnum = any(k.conkey)), '') as refers
            from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
            where a.attrelid = {0}::oid and a.attnum > 0 and not a.attisdropped
            order by a.attnum
            """;

    private Catalog() {}

    /** The tables of all schemas but Waybill's. */
    static List<UserTable> read(DSLContext dsl, SchemaName waybill, Set<String> ignored) {
        var tables = new ArrayList<UserTable>();
        for (Record row : dsl.fetch(TABLES, DSL.val(waybill.value()))) {
            String relname = row.get("relname", String.class);
            if (!relname.toLowerCase(Locale.ROOT).contains("flyway") && !relname.startsWith("databasechangelog")) {
                tables.add(table(dsl, row).without(ignored));
            }
        }
        return tables;
    }

    private static UserTable table(DSLContext dsl, Record row) {
        var stored = new ArrayList<String>();
        var compared = new ArrayList<String>();
        for (Record column : dsl.fetch(COLUMNS, DSL.val(row.get("oid", String.class)))) {
            if (!column.get("generated", Boolean.class)) {
                stored.add(column.get("quoted", String.class));
            }
            String origin = column.get("made", String.class) + " " + column.get("refers", String.class);
            if (!MADE_ANEW.matcher(origin).find()) {
                compared.add(column.get("name", String.class));
            }
        }
        return new UserTable(row.get("name", String.class), row.get("name", String.class), stored, compared);
    }

    /** Of these tables, columns that nobody ignores although they exist are a typing error. */
    static Set<String> unknown(List<UserTable> tables, Set<String> ignored, DSLContext dsl) {
        var unknown = new HashSet<String>(ignored);
        unknown.removeIf(column -> column.startsWith(Tables.OUTBOX + "."));
        unknown.removeIf(column -> tables.stream()
                .anyMatch(table -> column.startsWith(table.label() + ".")
                        && dsl.fetchExists(DSL.select(DSL.one())
                                .from("pg_attribute")
                                .where(
                                        "attrelid = {0}::regclass and attname = {1}",
                                        DSL.val(table.name()),
                                        DSL.val(column.substring(table.label().length() + 1))))));
        return unknown;
    }
}
