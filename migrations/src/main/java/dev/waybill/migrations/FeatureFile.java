package dev.waybill.migrations;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Collectors;

/** Reads a feature's files by name, because a class path cannot always be listed. */
final class FeatureFile {
    private FeatureFile() {}

    static String tables(Feature feature) {
        return read(feature.folder() + "/V1__" + feature.toString().replace('-', '_') + ".sql");
    }

    /** The grants of a role: the lines behind {@code -- the role's name}, up to the next role. */
    static String grants(Feature feature, Role role) {
        String text = read("dev/waybill/migrations/grants/" + feature + ".sql");
        String heading = "\n-- " + role.name().toLowerCase(Locale.ROOT) + "\n";
        int start = text.indexOf(heading);
        return start < 0
                ? ""
                : text.substring(start + heading.length())
                        .lines()
                        .takeWhile(line -> !line.matches("-- [a-z]+"))
                        .collect(Collectors.joining("\n"))
                        .strip();
    }

    private static String read(String name) {
        try (InputStream in = FeatureFile.class.getClassLoader().getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be read", e);
        }
    }
}
