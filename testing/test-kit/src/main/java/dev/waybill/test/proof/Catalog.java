package dev.waybill.test.proof;

import dev.waybill.schema.SchemaName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.impl.DSL;

/**
 * Finds the service's tables, and which of their columns can be compared between runs. A column cannot be compared
 * if its value is made anew each time:
 *
 * <ul>
 *   <li>an identity;
 *   <li>a default that calls anything that is not immutable: a sequence, a clock, random values. PostgreSQL keeps
 *       the default as a tree of nodes, which names functions by their ids, so a text or a column cannot be taken
 *       for one;
 *   <li>a column that refers to such a column, by a foreign key or in its generation expression, over any number
 *       of steps.
 * </ul>
 */
final class Catalog {
    private static final String TABLES = """
            select c.oid::bigint as id, format('%I.%I', n.nspname, c.relname) as name, c.relname,
              case when pg_table_is_visible(c.oid) then '' else n.nspname || '.' end || c.relname as label,
              c.relkind = 'p' as partitioned
            from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where c.relkind in ('r', 'p') and not c.relispartition
              and n.nspname not in ('information_schema', {0}) and n.nspname not like 'pg\\_%'
              and not exists (select from pg_depend e
                where e.classid = 'pg_class'::regclass and e.objid = c.oid and e.deptype = 'e')
            order by 4
            """;

    // In a tree, :funcid and :opno are what is called, :resulttype is what a text is read as; the values of
    // SQLVALUEFUNCTION are 0 to 8 for times, and users and schemas after that. The settings of a session do not change.
    private static final String COLUMNS = """
            with recursive expression as (
              select a.attrelid as rel, a.attnum as att, a.attidentity <> '' as counts, a.attgenerated <> '' as generated,
                coalesce(d.adbin, t.typdefaultbin)::text as tree
              from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p')
              join pg_type t on t.oid = a.atttypid
              left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
              where a.attnum > 0 and not a.attisdropped),
            called as (
              select e.rel, e.att, m.part[1] as kind, m.part[2]::oid as id
              from expression e, regexp_matches(e.tree, ':(funcid|opno|resulttype) ([0-9]+)', 'g') as m(part)),
            reference as (
              select k.conrelid as rel, pair.att, k.confrelid as to_rel, pair.to_att
              from pg_constraint k, unnest(k.conkey, k.confkey) as pair(att, to_att) where k.contype = 'f'
              union all
              select e.rel, e.att, e.rel, m.part[1]::smallint
              from expression e, regexp_matches(e.tree, 'VAR :varno 1 :varattno ([0-9]+)', 'g') as m(part)
              where e.generated),
            anew as (
              select e.rel, e.att from expression e
              where e.counts or e.tree ~ 'NEXTVALUEEXPR|SQLVALUEFUNCTION :op [0-8] '
              union
              select f.rel, f.att from called f
              left join pg_operator o on f.kind = 'opno' and o.oid = f.id
              left join pg_type t on f.kind = 'resulttype' and t.oid = f.id and t.typcategory = 'D' and t.typtype = 'b'
              join pg_proc p on p.oid = case f.kind when 'funcid' then f.id when 'opno' then o.oprcode else t.typinput end
              where p.provolatile <> 'i' and not (p.pronamespace = 'pg_catalog'::regnamespace
                and p.proname in ('current_setting', 'current_database'))),
            made_anew as (
              select rel, att from anew
              union
              select r.rel, r.att from made_anew m join reference r on r.to_rel = m.rel and r.to_att = m.att)
            select e.rel::bigint as id, a.attname as name, quote_ident(a.attname) as quoted, e.generated,
              exists (select from made_anew m where m.rel = e.rel and m.att = e.att) as anew
            from expression e join pg_attribute a on a.attrelid = e.rel and a.attnum = e.att
            where e.rel = any({0}::oid[]) order by e.rel, e.att
            """;

    private Catalog() {}

    static List<UserTable> read(DSLContext dsl, SchemaName waybill, Set<String> ignored) {
        var rows = dsl.fetch(TABLES, DSL.val(waybill.value()));
        rows.removeIf(row -> isOfMigrations(row.get("relname", String.class)));
        Map<Long, List<Record>> columns = columns(dsl, rows.getValues("id", Long.class));
        var tables = new ArrayList<UserTable>();
        for (Record row : rows) {
            tables.add(table(row, columns.getOrDefault(row.get("id", Long.class), List.of()))
                    .without(ignored));
        }
        return tables;
    }

    private static boolean isOfMigrations(String table) {
        return table.toLowerCase(Locale.ROOT).contains("flyway") || table.startsWith("databasechangelog");
    }

    private static Map<Long, List<Record>> columns(DSLContext dsl, List<Long> tables) {
        var columns = new LinkedHashMap<Long, List<Record>>();
        for (Record row : dsl.fetch(COLUMNS, DSL.val(tables.toArray(Long[]::new)))) {
            columns.computeIfAbsent(row.get("id", Long.class), id -> new ArrayList<>())
                    .add(row);
        }
        return columns;
    }

    private static UserTable table(Record row, List<Record> columns) {
        return new UserTable(
                row.get("name", String.class),
                row.get("label", String.class),
                row.get("partitioned", Boolean.class),
                columns.stream()
                        .filter(column -> !column.get("generated", Boolean.class))
                        .map(column -> column.get("quoted", String.class))
                        .toList(),
                columns.stream()
                        .filter(column -> !column.get("anew", Boolean.class))
                        .map(column -> column.get("name", String.class))
                        .toList());
    }

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
