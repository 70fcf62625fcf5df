package dev.waybill.test.proof;

import java.util.List;
import java.util.Set;

/**
 * A table of the service.
 *
 * @param name with its schema, quoted where it must be
 * @param label as people write it, without quotes; with its schema if that is not searched
 * @param partitioned whether its rows are in partitions
 * @param stored columns that can be written, quoted where they must be
 * @param compared columns whose values depend on nothing but what handlers do
 */
record UserTable(String name, String label, boolean partitioned, List<String> stored, List<String> compared) {
    /** The same with fewer columns to compare. */
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

    /** Its rows, for a query: without those of tables that inherit from it, which are tables by themselves. */
    String rows() {
        return partitioned ? name : "only " + name;
    }
}
