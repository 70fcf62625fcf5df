package dev.waybill.test.proof;

import java.util.List;
import java.util.Set;

/**
 * A table of the service.
 *
 * @param name with its schema, quoted where needed
 * @param label without quotes, and without a schema that is on the search path
 * @param stored columns that can be written
 * @param compared columns whose values depend on the handlers alone
 */
record UserTable(String name, String label, boolean partitioned, List<String> stored, List<String> compared) {
    UserTable without(Set<String> ignored) {
        return new UserTable(
                name,
                label,
                partitioned,
                stored,
                compared.stream()
                        .filter(column -> !ignored.contains(label + "." + column))
                        .toList());
    }

    /** SQL for the table's own rows: tables that inherit from it are compared by themselves. */
    String rows() {
        return partitioned ? name : "only " + name;
    }
}
