package dev.waybill.standalone.console;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Requests as an attacker can write them: nothing is added, corrected or followed. */
final class RawHttp {
    private final int port;
    private final Map<String, String> headers = new LinkedHashMap<>();

    RawHttp(int port) {
        this.port = port;
        headers.put("Host", "127.0.0.1:" + port);
    }

    private RawHttp(RawHttp other) {
        port = other.port;
        headers.putAll(other.headers);
    }

    /** The same with another header, or without one. */
    RawHttp with(String name, String value) {
        var other = new RawHttp(this);
        other.headers.put(name, value);
        return other;
    }

    RawHttp without(String name) {
        var other = new RawHttp(this);
        other.headers.remove(name);
        return other;
    }

    /** The value of a header. */
    String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /** As a page of the console sends its forms. */
    RawHttp fromOurPage() {
        return with("Origin", "http://127.0.0.1:" + port);
    }

    Answer get(String target) {
        return send("GET " + target, "");
    }

    Answer post(String target, String... fields) {
        var form = new ArrayList<String>();
        for (int i = 0; i < fields.length; i += 2) {
            form.add(encoded(fields[i]) + "=" + encoded(fields[i + 1]));
        }
        return postText(target, String.join("&", form));
    }

    Answer postText(String target, String body) {
        var typed =
                headers.containsKey("Content-Type") ? this : with("Content-Type", "application/x-www-form-urlencoded");
        return typed.with("Content-Length", Integer.toString(body.length())).send("POST " + target, body);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    Answer send(String methodAndTarget, String body) {
        var head = new StringBuilder(methodAndTarget + " HTTP/1.1\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        return sendText(head + "Connection: close\r\n\r\n" + body);
    }

    /** Any bytes. */
    Answer sendText(String text) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            try {
                socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
                socket.getOutputStream().flush();
            } catch (IOException e) {
                // Refused before all was said; the answer may be there.
            }
            return Answer.of(new String(all(socket.getInputStream()), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] all(InputStream in) {
        var all = new ByteArrayOutputStream();
        try {
            in.transferTo(all);
        } catch (IOException e) {
            // The part that came is the answer.
        }
        return all.toByteArray();
    }

    /** An answer; status 0 if there was none. */
    record Answer(int status, Map<String, List<String>> headers, String body) {
        static Answer of(String text) {
            int end = text.indexOf("\r\n\r\n");
            if (end < 0) {
                return new Answer(0, Map.of(), text);
            }
            List<String> lines = List.of(text.substring(0, end).split("\r\n", -1));
            var headers = new TreeMap<String, List<String>>();
            lines.subList(1, lines.size()).forEach(line -> {
                String[] parts = line.split(": ?", 2);
                headers.computeIfAbsent(parts[0].toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                        .add(parts[1]);
            });
            return new Answer(Integer.parseInt(lines.get(0).substring(9, 12)), headers, text.substring(end + 4));
        }

        String header(String name) {
            return String.join(", ", headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()));
        }

        /** The cookie of the session as it goes back; empty if none was set. */
        String cookie() {
            return headers.getOrDefault("set-cookie", List.of()).stream()
                    .map(cookie -> cookie.split(";", 2)[0])
                    .reduce((first, last) -> last)
                    .orElse("");
        }

        /** The value of a hidden field. */
        String hidden(String field) {
            String before = "name=\"" + field + "\" value=\"";
            int at = body.indexOf(before);
            if (at < 0) {
                throw new AssertionError("No field " + field + " in " + body);
            }
            return body.substring(at + before.length(), body.indexOf('"', at + before.length()));
        }
    }
}
