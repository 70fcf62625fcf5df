package dev.waybill.servicebus.embedded.live;

import dev.waybill.servicebus.embedded.emulator.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The embedded broker in a process of its own, so that a live run can be tried without a namespace of Azure. */
final class LiveBrokerProcess {
    private static final Pattern PORT = Pattern.compile(".*:(\\d+)");

    private static final class Holder {
        static final LiveBrokerProcess ONLY = start();
    }

    private final String connectionString;
    private final int amqpPort;
    private final int administrationPort;

    private LiveBrokerProcess(List<String> said) {
        this.connectionString = said.get(0);
        this.amqpPort = port(said, "AMQP: ");
        this.administrationPort = port(said, "Administration: ");
    }

    /** The one of this process, which ends with it. */
    static LiveBrokerProcess started() {
        return Holder.ONLY;
    }

    private static LiveBrokerProcess start() {
        try {
            Path certificate = Files.createTempFile("live-broker", ".pem");
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName(),
                            "--port",
                            "0",
                            "--administration-port",
                            "0",
                            "--tls-certificate",
                            certificate.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "end-of-live-broker"));
            LiveBrokerProcess broker = new LiveBrokerProcess(untilReady(process.inputReader(StandardCharsets.UTF_8)));
            ProcessTrust.only(Files.readString(certificate));
            return broker;
        } catch (IOException e) {
            throw new UncheckedIOException("The second broker cannot be started", e);
        }
    }

    private static List<String> untilReady(BufferedReader out) throws IOException {
        List<String> said = new ArrayList<>();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.equals("Ready")) {
                return said;
            }
            said.add(line);
        }
        throw new IOException("The second broker ended after " + said);
    }

    private static int port(List<String> said, String label) {
        for (String line : said) {
            Matcher matcher = PORT.matcher(line);
            if (line.startsWith(label) && matcher.matches()) {
                return Integer.parseInt(matcher.group(1));
            }
        }
        throw new IllegalStateException("The second broker said no port: " + said);
    }

    String connectionString() {
        return connectionString;
    }

    int amqpPort() {
        return amqpPort;
    }

    int administrationPort() {
        return administrationPort;
    }
}
