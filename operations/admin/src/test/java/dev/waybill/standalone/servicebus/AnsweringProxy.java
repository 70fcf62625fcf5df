package dev.waybill.standalone.servicebus;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.config.Sources;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** A proxy that answers as told, and tunnels nothing. */
final class AnsweringProxy implements AutoCloseable {
    static final String BASIC = "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\n\r\n";
    static final String OPENED = "HTTP/1.1 200 Connection established\r\n\r\n";

    private static final String HEADER = "proxy-authorization: basic ";
    private static final int HANDSHAKE = 0x16;

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final String toStrangers;
    private final String toUsers;
    private final Duration pause;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> signIns = new CopyOnWriteArrayList<>();
    private volatile boolean handshake;

    /** Answers requests without and with a password. An answer without an end of its head closes the connection. */
    AnsweringProxy(String toStrangers, String toUsers) throws IOException {
        this(toStrangers, toUsers, Duration.ZERO);
    }

    /** Pauses after each byte. */
    AnsweringProxy(String toStrangers, String toUsers, Duration pause) throws IOException {
        this.toStrangers = toStrangers;
        this.toUsers = toUsers;
        this.pause = pause;
        run(this::accept);
    }

    /** The settings of a namespace behind it, with further lines. */
    NamespaceSettings behind(String... lines) {
        return at("http://clerk@127.0.0.1:" + server.getLocalPort(), lines);
    }

    static NamespaceSettings at(String url, String... lines) {
        try {
            Path file = Files.createTempFile("waybill", ".yaml");
            Files.writeString(file, """
                    namespace:
                      main:
                        connection-string: "Endpoint=sb://target.example/;SharedAccessKeyName=a;SharedAccessKey=Yg=="
                        transport: websockets
                        proxy: "%s"
                        %s
                    """.formatted(url, String.join("\n    ", lines)));
            try {
                return Configuration.of(new Sources(Map.of(), Map.of(), Map.of(), Optional.of(file)))
                        .namespaces()
                        .get(0);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return server.getLocalPort();
    }

    /** The first lines of all requests. */
    List<String> requests() {
        return requests;
    }

    /** User and password of each request that had them. */
    List<String> signIns() {
        return signIns;
    }

    /** Whether a client has begun TLS in a tunnel. */
    boolean sawHandshake() {
        return handshake;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                sockets.add(client);
                run(() -> serve(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private static void run(Runnable work) {
        var thread = new Thread(work, "answering-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void serve(Socket client) {
        try (client) {
            String answer;
            do {
                answer = signedIn(client.getInputStream()) ? toUsers : toStrangers;
                write(client, answer);
            } while (answer.startsWith("HTTP/1.1 407") && ends(answer));
            if (ends(answer)) {
                handshake |= client.getInputStream().read() == HANDSHAKE;
                client.getInputStream().transferTo(OutputStream.nullOutputStream());
            }
        } catch (IOException | InterruptedException e) {
            // The client has left.
        }
    }

    private static boolean ends(String answer) {
        Predicate<String> closes = text -> text.contains("Connection: close") || text.endsWith("<end>");
        return !closes.test(answer);
    }

    private void write(Socket client, String answer) throws IOException, InterruptedException {
        byte[] bytes = answer.replace("<end>", "").getBytes(StandardCharsets.ISO_8859_1);
        if (pause.isZero()) {
            client.getOutputStream().write(bytes);
            return;
        }
        for (byte each : bytes) {
            client.getOutputStream().write(each);
            Thread.sleep(pause.toMillis());
        }
    }

    private boolean signedIn(InputStream in) throws IOException {
        requests.add(line(in));
        boolean found = false;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            if (line.toLowerCase(Locale.ROOT).startsWith(HEADER)) {
                signIns.add(new String(
                        Base64.getDecoder().decode(line.substring(HEADER.length())), StandardCharsets.UTF_8));
                found = true;
            }
        }
        return found;
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException();
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
