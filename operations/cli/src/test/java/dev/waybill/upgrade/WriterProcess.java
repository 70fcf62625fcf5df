package dev.waybill.upgrade;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.outbox.Outbox;
import dev.waybill.schema.SchemaName;
import dev.waybill.servicebus.stress.Writer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.SQLDialect;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/**
 * Some writers in a JVM of their own, which append through the API of one build or another until their standard input ends.
 * Uses nothing that the first edition does not have.
 */
public final class WriterProcess {
    private static final int THREADS = 3;
    private static final int MEAN_PAUSE_MILLIS = 30;

    private WriterProcess() {}

    /** Arguments: JDBC URL, schema, destination, table of the truth, seed, name. */
    public static void main(String[] args) throws IOException, InterruptedException {
        var random = new SplittableRandom(Long.parseLong(args[4]));
        var left = new AtomicInteger(Integer.MAX_VALUE);
        var ended = new AtomicBoolean();
        var threads = new ArrayList<Thread>();
        try (var pool = pool(args[0])) {
            for (int i = 0; i < THREADS; i++) {
                var writer = new Writer(
                        DSL.using(pool, SQLDialect.POSTGRES),
                        Outbox.builder().schema(new SchemaName(args[1])).build(),
                        new Writer.Load(args[2], args[3], MEAN_PAUSE_MILLIS),
                        left,
                        random.split(),
                        args[5] + "-" + i);
                var thread = new Thread(() -> write(writer, ended), args[5] + "-" + i);
                threads.add(thread);
                thread.start();
            }
            while (System.in.read() >= 0) {}
            ended.set(true);
            left.set(0);
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    // As an application would: what the database has refused is said, and the next request is served.
    private static void write(Writer writer, AtomicBoolean ended) {
        while (!ended.get()) {
            try {
                writer.run();
            } catch (DataAccessException e) {
                System.out.println("refused: " + e.getMessage());
            }
        }
    }

    private static HikariDataSource pool(String url) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(THREADS);
        return new HikariDataSource(config);
    }

    static Process start(String classPath, Path out, List<String> arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                WriterProcess.class.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
    }
}
