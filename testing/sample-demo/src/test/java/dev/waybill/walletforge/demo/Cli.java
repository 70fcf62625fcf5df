package dev.waybill.walletforge.demo;

import dev.waybill.embedded.postgres.TestDatabase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The command line, run in this JVM on the tests' own database; the schemas it makes are dropped again. */
record Cli(int exitCode, String out, String err) {
    private static final Pattern SCHEMAS = Pattern.compile("tables in the schemas (\\w+) and (\\w+)");

    static Cli run(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode = WalletForge.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new Cli(exitCode, out.toString(), err.toString());
    }

    static Cli demo(TestDatabase database, String... options) throws SQLException {
        var arguments =
                new ArrayList<>(List.of("demo", "--jdbc-url", database.server().jdbcUrl()));
        arguments.addAll(List.of(options));
        var result = run(arguments.toArray(String[]::new));
        Matcher schemas = SCHEMAS.matcher(result.out());
        if (schemas.find()) {
            database.execute("drop schema " + schemas.group(1) + " cascade");
            database.execute("drop schema " + schemas.group(2) + " cascade");
        }
        return result;
    }
}
