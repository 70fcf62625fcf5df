package dev.waybill.test.proof;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The content of tables and probes at one moment.
 *
 * @param tables rows by table, in no order; each row's values by column
 * @param probes values by the name of their probe
 */
record Content(Map<String, List<Map<String, String>>> tables, Map<String, String> probes) {
    private static final int MOST_ROWS = 5;

    List<String> differingColumns(Content other) {
        var found = new ArrayList<String>();
        tables.forEach((table, rows) -> {
            List<Map<String, String>> others = other.tables.getOrDefault(table, List.of());
            if (rows.size() == others.size()) {
                var columns = new TreeSet<String>();
                rows.forEach(row -> columns.addAll(row.keySet()));
                columns.stream()
                        .filter(column -> !values(rows, column).equals(values(others, column)))
                        .forEach(column -> found.add(table + "." + column));
            } else {
                found.add(table + ".*");
            }
        });
        return found;
    }

    private static List<String> values(List<Map<String, String>> rows, String column) {
        return rows.stream()
                .map(row -> row.getOrDefault(column, "null"))
                .sorted()
                .toList();
    }

    String example(Content other, String tableAndColumn) {
        int dot = tableAndColumn.lastIndexOf('.');
        String column = tableAndColumn.substring(dot + 1);
        if (column.equals("*")) {
            return other.tablesAgainst(this);
        }
        var mine = new ArrayList<>(values(tables.getOrDefault(tableAndColumn.substring(0, dot), List.of()), column));
        var others =
                new ArrayList<>(values(other.tables.getOrDefault(tableAndColumn.substring(0, dot), List.of()), column));
        List<String> left = new ArrayList<>(mine);
        others.forEach(left::remove);
        mine.forEach(others::remove);
        return tableAndColumn + ": " + left.get(0) + " in one, " + others.get(0) + " in the other";
    }

    Content without(List<String> columns, List<String> withoutProbes) {
        var fewer = new LinkedHashMap<String, List<Map<String, String>>>();
        tables.forEach((table, rows) -> fewer.put(
                table,
                columns.contains(table + ".*")
                        ? List.of()
                        : rows.stream().map(row -> without(table, row, columns)).toList()));
        var left = new LinkedHashMap<>(probes);
        left.keySet().removeAll(withoutProbes);
        return new Content(fewer, left);
    }

    private static Map<String, String> without(String table, Map<String, String> row, List<String> columns) {
        var left = new LinkedHashMap<>(row);
        left.keySet().removeIf(column -> columns.contains(table + "." + column));
        return left;
    }

    String tablesAgainst(Content expected) {
        var text = new StringBuilder();
        tables.forEach((table, rows) -> {
            var surplus = new ArrayList<>(rows);
            expected.tables.getOrDefault(table, List.of()).forEach(surplus::remove);
            var missing = new ArrayList<>(expected.tables.getOrDefault(table, List.of()));
            rows.forEach(missing::remove);
            if (!surplus.isEmpty() || !missing.isEmpty()) {
                text.append(text.isEmpty() ? "" : "\n").append(table).append(':');
                list(text, " there is ", surplus);
                list(text, " there should be ", missing);
            }
        });
        return text.toString();
    }

    private static void list(StringBuilder text, String intro, List<Map<String, String>> rows) {
        if (!rows.isEmpty()) {
            text.append(intro).append(rows.subList(0, Math.min(MOST_ROWS, rows.size())));
            text.append(rows.size() > MOST_ROWS ? " and " + (rows.size() - MOST_ROWS) + " more" : "");
        }
    }

    List<String> probesAgainst(Content expected) {
        return probes.entrySet().stream()
                .filter(probe -> !probe.getValue().equals(expected.probes.get(probe.getKey())))
                .map(probe ->
                        probe.getKey() + ": " + probe.getValue() + " instead of " + expected.probes.get(probe.getKey()))
                .toList();
    }
}
