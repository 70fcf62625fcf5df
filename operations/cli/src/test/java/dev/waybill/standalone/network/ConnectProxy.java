package dev.waybill.standalone.network;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP proxy that only tunnels, for a user with a password, to targets that only it can reach. */
final class ConnectProxy implements AutoCloseable {
    private final ServerSocket server;
    private volatile String expected;
    private final AtomicInteger wrongPasswords = new AtomicInteger();
    private final Map<String, Integer> ports;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        var thread = new Thread(task, "connect-proxy");
        thread.setDaemon(true);
        return thread;
    });
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<String> tunnels = new CopyOnWriteArrayList<>();
    private final List<String> refusals = new CopyOnWriteArrayList<>();

    /** {@code ports}: the local port behind each target, such as {@code example.org:443}. */
    ConnectProxy(String user, String password, Map<String, Integer> ports) throws IOException {
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.expected = basic(user, password);
        this.ports = ports;
        threads.execute(this::accept);
    }

    private static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    /** Takes another password from now on, and ends all tunnels. */
    void rotate(String user, String password) throws IOException {
        expected = basic(user, password);
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    int port() {
        return server.getLocalPort();
    }

    /** How many requests had a wrong password. */
    int wrongPasswords() {
        return wrongPasswords.get();
    }

    /** The targets of all tunnels so far. */
    List<String> tunnels() {
        return tunnels;
    }

    /** What it refused, with the reason. */
    List<String> refusals() {
        return refusals;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                sockets.add(client);
                threads.execute(() -> serve(client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            String target = admitted(client);
            try (var to = new Socket(InetAddress.getLoopbackAddress(), ports.get(target))) {
                sockets.add(to);
                tunnels.add(target);
                answer(client, "200 Connection established", "");
                threads.execute(() -> pump(to, client));
                pump(client, to);
            }
        } catch (IOException e) {
            refusals.add(String.valueOf(e.getMessage()));
        }
    }

    // Reads heads until one has the password; a client may ask again on the same connection.
    private String admitted(Socket client) throws IOException {
        InputStream in = client.getInputStream();
        while (true) {
            String[] request = line(in).split(" ");
            boolean allowed = false;
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                boolean right = line.equalsIgnoreCase("Proxy-Authorization: " + expected);
                allowed |= right;
                if (!right && line.toLowerCase(Locale.ROOT).startsWith("proxy-authorization:")) {
                    wrongPasswords.incrementAndGet();
                }
            }
            if (request.length < 2 || !request[0].equals("CONNECT")) {
                throw new IOException("not a tunnel: " + String.join(" ", request));
            }
            if (!allowed) {
                refusals.add("no password: " + request[1]);
                answer(client, "407 Proxy Authentication Required", "Proxy-Authenticate: Basic realm=\"test\"\r\n");
            } else if (!ports.containsKey(request[1])) {
                answer(client, "403 Forbidden", "");
                throw new IOException("not allowed: " + request[1]);
            } else {
                return request[1];
            }
        }
    }

    private static void answer(Socket client, String status, String header) throws IOException {
        String head = "HTTP/1.1 " + status + "\r\n" + header + "Content-Length: 0\r\n\r\n";
        client.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
        client.getOutputStream().flush();
    }

    private static void pump(Socket from, Socket to) {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            in.transferTo(out);
        } catch (IOException e) {
            // The other side is gone, and the tunnel with it.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
        threads.shutdownNow();
    }

    // No byte of the tunnel is read ahead.
    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("closed after '" + line + "'");
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }
}
