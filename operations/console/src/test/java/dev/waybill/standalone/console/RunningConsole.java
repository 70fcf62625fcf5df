package dev.waybill.standalone.console;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.migrations.Feature;
import dev.waybill.migrations.Migrations;
import dev.waybill.schema.SchemaName;
import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.Sources;
import dev.waybill.standalone.console.RawHttp.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.LoggerFactory;

/** A console on a free port, with the tables of a test, three people and what it logs. */
final class RunningConsole implements AutoCloseable {
    /** Ada is an admin, olga an operator, victor a viewer, petra comes by a proxy; all have the same password. */
    static final String PASSWORD = "correct horse battery";

    private static final String HASH = "$2a$10$nP1g39uYd8w859QOOjdziO7qyFx5KHUWMAPpEDkaymoE9lQbfY7.y";
    private static final Pattern TOKEN = Pattern.compile("/start\\?token=([A-Za-z0-9_-]{43})");

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.waybill.standalone.console");
    private final ListAppender<ILoggingEvent> deeds = new ListAppender<>();
    private final Logger audit = (Logger) LoggerFactory.getLogger("dev.waybill.audit");
    private final Console console;

    private RunningConsole(Configuration configuration) {
        log.start();
        logger.addAppender(log);
        deeds.start();
        audit.addAppender(deeds);
        console = Console.start(configuration);
    }

    /** With people who sign in by password. */
    static RunningConsole withPeople(TestDatabase database, Path directory, String... options) {
        String[] all = java.util.Arrays.copyOf(options, options.length + 2);
        all[options.length] = "console.users-file";
        all[options.length + 1] = people(directory).toString();
        return start(database, all);
    }

    static Path people(Path directory) {
        try {
            return Files.writeString(directory.resolve("users"), """
                    # name:hash:roles
                    ada:%1$s:admin
                    olga:%1$s:operator
                    victor:%1$s:viewer
                    petra:-:operator
                    otto:%1$s:operator@other
                    """.formatted(HASH));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static RunningConsole start(TestDatabase database, String... options) {
        String schema = database.schemaWith(name -> Migrations.sql(new SchemaName(name), Feature.all()));
        var flags = new LinkedHashMap<>(Map.of(
                "database.main.url",
                database.server().jdbcUrl(),
                "database.main.schema",
                schema,
                "destination.orders.sessions",
                "true",
                "console.port",
                "0"));
        for (int i = 0; i < options.length; i += 2) {
            flags.put(options[i], options[i + 1]);
        }
        var running = new RunningConsole(Configuration.of(new Sources(flags, Map.of(), Map.of(), Optional.empty())));
        database.closeAfterwards(running);
        return running;
    }

    int port() {
        return console.port();
    }

    /** The operations that programs can ask for. */
    List<dev.waybill.standalone.console.access.ApiRoutes.Operation> operations() {
        return console.operations();
    }

    String address() {
        return "http://127.0.0.1:" + port();
    }

    RawHttp http() {
        return new RawHttp(port());
    }

    /** The start-up token that was told last. */
    String token() {
        return logged().stream()
                .map(TOKEN::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .reduce((first, last) -> last)
                .orElseThrow();
    }

    List<String> logged() {
        return messages(log);
    }

    /** The log of deeds. */
    List<String> audited() {
        return messages(deeds);
    }

    private static List<String> messages(ListAppender<ILoggingEvent> from) {
        return List.copyOf(from.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    /** A browser in which a person has signed in by password, as requests. */
    RawHttp as(String person) {
        Answer in = http().fromOurPage().post("/sign-in", "name", person, "password", PASSWORD, "to", "");
        if (in.status() != 303) {
            throw new AssertionError(in.status() + " " + in.body());
        }
        return http().fromOurPage().with("Cookie", in.cookie());
    }

    @Override
    public void close() {
        console.close();
        logger.detachAppender(log);
        audit.detachAppender(deeds);
    }
}
