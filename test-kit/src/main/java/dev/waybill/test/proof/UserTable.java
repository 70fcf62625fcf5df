package dev.waybill.test.proof;

import java.util.List;
import java.util.Set;

/**
 * A table of the service.
 *
 * @param name with its schema, quoted where it must be
 * @param label as people write it
 * @param stored columns that can be written
 * @param compared columns whose values depend on nothing but what handlers do
 */
record UserTable(String name, String label, List<String> stored, List<String> compared) {
    /** The same with fewer columns to compare. */
    UserTable without(Set<String> ignored) {
        return new UserTable(
                name,
                label,
                stored,
                compared.stream()
                        .filter(column -> !ignored.contains(label + "." + column))
                        .toList());
    }
}
