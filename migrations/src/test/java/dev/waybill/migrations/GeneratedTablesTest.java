package dev.waybill.migrations;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.schema.SchemaName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jooq.codegen.GenerationTool;
import org.jooq.meta.jaxb.Configuration;
import org.jooq.meta.jaxb.Database;
import org.jooq.meta.jaxb.Generate;
import org.jooq.meta.jaxb.Generator;
import org.jooq.meta.jaxb.Jdbc;
import org.jooq.meta.jaxb.SchemaMappingType;
import org.jooq.meta.jaxb.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Run with {@code -Dwaybill.jooq.write=true} to write the tables anew after a migration was added. */
@ExtendWith(PostgresExtension.class)
class GeneratedTablesTest {
    private static final Path SOURCES = Path.of("../schema/src/main/java");
    private static final String PACKAGE = "dev.waybill.schema.jooq";

    @Test
    void the_committed_jooq_tables_are_those_of_the_migrations(TestDatabase database, @TempDir Path directory)
            throws Exception {
        Migrations.of(database.dataSource(), new SchemaName(database.schema())).apply(Feature.all());
        boolean write = Boolean.getBoolean("waybill.jooq.write");

        GenerationTool.generate(configuration(database, write ? SOURCES : directory));

        Map<String, String> committed = sources(SOURCES, database.schema());
        assertThat(committed).isNotEmpty();
        if (write) {
            for (Map.Entry<String, String> source : committed.entrySet()) {
                Files.writeString(root(SOURCES).resolve(source.getKey()), source.getValue());
            }
        } else {
            assertThat(committed).isEqualTo(sources(directory, database.schema()));
        }
    }

    private static Configuration configuration(TestDatabase database, Path directory) {
        return new Configuration()
                .withJdbc(new Jdbc().withUrl(database.server().jdbcUrl()))
                .withGenerator(new Generator()
                        .withDatabase(tables(database.schema()))
                        .withGenerate(new Generate()
                                .withRecords(false)
                                .withSourcesOnViews(false)
                                .withGlobalObjectReferences(true)
                                .withImplicitJoinPathsToOne(false)
                                .withImplicitJoinPathsToMany(false))
                        .withTarget(new Target()
                                .withPackageName(PACKAGE)
                                .withDirectory(directory.toString())
                                .withEncoding("UTF-8")));
    }

    // jOOQ does not know xid8: the few statements that need it are plain SQL.
    private static Database tables(String schema) {
        return new Database()
                .withName("org.jooq.meta.postgres.PostgresDatabase")
                .withSchemata(new SchemaMappingType().withInputSchema(schema).withOutputSchema("waybill"))
                .withIncludeExcludeColumns(true)
                .withIncludeRoutines(false)
                .withExcludes("outbox_published_\\d+|message_event_.*|waybill_migration_.*|.*\\.xid|.*_seq");
    }

    private static Path root(Path directory) {
        return directory.resolve(PACKAGE.replace('.', '/'));
    }

    private static Map<String, String> sources(Path directory, String schema) throws IOException {
        Path root = root(directory);
        try (var files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .collect(toMap(file -> root.relativize(file).toString(), file -> read(file, schema)));
        }
    }

    // jOOQ names one more warning to suppress when it runs on a newer JDK. Default expressions name the test's schema.
    private static String read(Path file, String schema) {
        try {
            return Files.readString(file).replace(", \"this-escape\"", "").replace("'" + schema + ".", "'waybill.");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
