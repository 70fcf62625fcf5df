package dev.waybill.schema;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Statements in files beside a class, {@code <name>.sql}. Reads each file once. Thread-safe. */
public final class SqlFiles {
    private final Class<?> beside;
    private final SchemaName schema;
    private final Map<String, String> statements = new ConcurrentHashMap<>();

    public SqlFiles(Class<?> beside, SchemaName schema) {
        this.beside = beside;
        this.schema = schema;
    }

    /** The statement without its comments. */
    public String get(String name) {
        return statements.computeIfAbsent(name, this::read);
    }

    private String read(String name) {
        try (@Nullable InputStream in = beside.getResourceAsStream(name + ".sql")) {
            if (in == null) {
                throw new IllegalArgumentException("There is no " + name + ".sql beside " + beside.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.stripLeading().startsWith("--"))
                    .collect(joining("\n"))
                    .replace(SchemaName.DEFAULT + ".", schema + ".");
        } catch (IOException e) {
            throw new UncheckedIOException("The statement " + name + " cannot be read", e);
        }
    }
}
