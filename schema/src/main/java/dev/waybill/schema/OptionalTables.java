package dev.waybill.schema;

import dev.waybill.schema.jooq.Waybill;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.ExecuteListenerProvider;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultExecuteListenerProvider;
import org.jspecify.annotations.Nullable;

/**
 * Lets statements read across features: a missing table reads as empty, and a write to it throws {@link FeatureMissing}. Caches
 * which tables exist, not which are missing. Thread-safe.
 */
public final class OptionalTables implements ExecuteListener {
    private static final long serialVersionUID = 1L;

    private static final Pattern WITH = Pattern.compile("\\s*with\\s+(recursive\\s+)?", Pattern.CASE_INSENSITIVE);

    private final transient Set<String> present = ConcurrentHashMap.newKeySet();
    private final SchemaName schema;
    private final transient Pattern names;
    private final transient Pattern targets;

    private OptionalTables(SchemaName schema) {
        this.schema = schema;
        String name = "\"?" + schema + "\"?\\.\"?(\\w+)\"?";
        names = Pattern.compile("(?<![\\w.'\"])" + name + "(?!\\w|\\()");
        targets = Pattern.compile(
                "(?:insert\\s+into|update|delete\\s+from|lock\\s+table|truncate)\\s+(?:only\\s+)?" + name,
                Pattern.CASE_INSENSITIVE);
    }

    public static DSLContext of(DSLContext dsl, SchemaName schema) {
        var listener = new DefaultExecuteListenerProvider(new OptionalTables(schema));
        ExecuteListenerProvider[] all = Stream.concat(
                        Stream.of(dsl.configuration().executeListenerProviders()), Stream.of(listener))
                .toArray(ExecuteListenerProvider[]::new);
        return DSL.using(dsl.configuration().derive(all));
    }

    @Override
    public void renderEnd(ExecuteContext context) {
        @Nullable String sql = context.sql();
        if (sql == null) {
            return;
        }
        Set<String> missing = missing(sql, context);
        if (!missing.isEmpty()) {
            context.sql(without(missing, sql, context.configuration()));
        }
    }

    private Set<String> missing(String sql, ExecuteContext context) {
        var missing = new LinkedHashSet<String>();
        for (Matcher found = names.matcher(sql); found.find(); ) {
            String table = found.group(1);
            if (Waybill.WAYBILL.getTable(table) != null && !isPresent(table, context)) {
                missing.add(table);
            }
        }
        return missing;
    }

    private boolean isPresent(String table, ExecuteContext context) {
        String name = schema.table(table);
        if (present.contains(name)) {
            return true;
        }
        @Nullable Connection connection = context.connection();
        return connection == null || !lookUp(connection) || present.contains(name);
    }

    private boolean lookUp(Connection connection) {
        try (PreparedStatement statement = connection.prepareStatement(
                "select relname from pg_catalog.pg_class where relnamespace = to_regnamespace(?)")) {
            statement.setString(1, schema.value());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    present.add(schema.table(rows.getString(1)));
                }
            }
            return true;
        } catch (SQLException e) {
            // The statement itself meets this failure and reports it.
            return false;
        }
    }

    private String without(Set<String> missing, String sql, Configuration configuration) {
        for (Matcher written = targets.matcher(sql); written.find(); ) {
            if (missing.contains(written.group(1))) {
                throw new FeatureMissing(written.group(1), schema);
            }
        }
        String renamed = names.matcher(sql)
                .replaceAll(found ->
                        Matcher.quoteReplacement(missing.contains(found.group(1)) ? found.group(1) : found.group()));
        String empty =
                missing.stream().map(table -> empty(table, configuration)).collect(Collectors.joining(", "));
        Matcher with = WITH.matcher(renamed);
        return with.lookingAt()
                ? "with " + (with.group(1) == null ? "" : "recursive ") + empty + ", " + renamed.substring(with.end())
                : "with " + empty + " " + renamed;
    }

    private static String empty(String name, Configuration configuration) {
        Table<?> table = Waybill.WAYBILL.getTable(name);
        String columns = table.fieldStream()
                .map(column -> nothing(column, configuration))
                .collect(Collectors.joining(", "));
        return name + " as (select " + columns + " where false)";
    }

    private static String nothing(Field<?> column, Configuration configuration) {
        String type = column.getDataType().getCastTypeName(configuration).toLowerCase(Locale.ROOT);
        return "null::" + (type.equals("other") || type.equals("any") ? "text" : type) + " as \"" + column.getName()
                + "\"";
    }
}
