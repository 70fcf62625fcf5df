package dev.waybill.servicebus.embedded.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.AfterContainer;

/** Administration answers any request or hangs up on it, and every answer says of which kind it is. */
@AddLifecycleHook(NotLive.class)
class AdministrationFuzzTest {
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");
    /** The first byte of the answer to a client that begins with TLS where there is none. */
    private static final char TLS_ALERT = 0x15;

    private static final String NAMESPACE = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect";

    private static final List<String> BODIES = List.of(
            "<QueueDescription xmlns='%s'><LockDuration>PT1M</LockDuration><MaxSizeInMegabytes>1024</MaxSizeInMegabytes>"
                    + "<RequiresSession>true</RequiresSession><DefaultMessageTimeToLive>P1D</DefaultMessageTimeToLive>"
                    + "<MaxDeliveryCount>3</MaxDeliveryCount><ForwardTo>fuzzed</ForwardTo></QueueDescription>",
            "<TopicDescription xmlns='%s'><DefaultMessageTimeToLive>PT1H</DefaultMessageTimeToLive></TopicDescription>",
            "<SubscriptionDescription xmlns='%s'><RequiresSession>true</RequiresSession><DefaultRuleDescription><Filter "
                    + "i:type='SqlFilter' xmlns:i='http://www.w3.org/2001/XMLSchema-instance'><SqlExpression>a = 1"
                    + "</SqlExpression></Filter><Name>r</Name></DefaultRuleDescription></SubscriptionDescription>",
            "<RuleDescription xmlns='%s' xmlns:i='http://www.w3.org/2001/XMLSchema-instance'><Filter i:type="
                    + "'CorrelationFilter'><CorrelationId>c</CorrelationId><Properties><KeyValueOfstringanyType><Key>k</Key>"
                    + "<Value i:type='d:int' xmlns:d='http://www.w3.org/2001/XMLSchema'>5</Value>"
                    + "</KeyValueOfstringanyType></Properties></Filter><Action i:type='SqlRuleAction'><SqlExpression>"
                    + "SET a = 1</SqlExpression></Action><Name>r</Name></RuleDescription>");

    private static final List<String> PATHS = List.of(
            "/made?api-version=2021-05",
            "/events/Subscriptions/made",
            "/events/Subscriptions/ruled/Rules/r",
            "/$Resources/queues?$skip=0&$top=100",
            "/$namespaceinfo",
            "/health");

    @AfterContainer
    static void nothingIsLeftOfThem() throws InterruptedException {
        Fuzzing.finish();
    }

    @Provide
    Arbitrary<String> bodies() {
        return Arbitraries.of(BODIES).map(body -> entry(body.formatted(NAMESPACE)));
    }

    @Provide
    Arbitrary<String> paths() {
        return Arbitraries.of(PATHS);
    }

    @Provide
    Arbitrary<String> methods() {
        return Arbitraries.of("PUT", "GET", "DELETE", "HEAD", "POST", "put", "");
    }

    @Provide
    Arbitrary<List<Change>> changes() {
        return Change.any().list().ofMinSize(1).ofMaxSize(3);
    }

    @Provide
    Arbitrary<Charset> encodings() {
        return Arbitraries.of(
                StandardCharsets.UTF_8,
                StandardCharsets.UTF_16,
                StandardCharsets.UTF_16LE,
                StandardCharsets.ISO_8859_1,
                Charset.forName("UTF-32"));
    }

    private static String entry(String content) {
        return "<entry xmlns='http://www.w3.org/2005/Atom'><content type='application/xml'>" + content
                + "</content></entry>";
    }

    private static byte[] request(String method, String path, String headers, byte[] body) {
        return AmqpBytes.joined(List.of(
                (method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers + "\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1),
                body));
    }

    private static byte[] whole(String method, String path, byte[] body) {
        return request(method, path, "Content-Length: " + body.length + "\r\n", body);
    }

    /** The status of the answer, which never says that the broker is at fault; 0 if there was none, or an alert. */
    private static int ask(byte[] request) {
        String answer = new String(Fuzzing.broker().ask(request), StandardCharsets.ISO_8859_1);
        Matcher status = STATUS.matcher(answer);
        if (answer.isEmpty() || answer.charAt(0) == TLS_ALERT) {
            return 0;
        }
        assertThat(status.lookingAt()).as(answer).isTrue();
        int code = Integer.parseInt(status.group(1));
        assertThat(code).as(answer).isBetween(100, 499);
        return code;
    }

    @Property
    void changed_bytes_in_a_good_request(
            @ForAll("paths") String path, @ForAll("bodies") String body, @ForAll("changes") List<Change> changes) {
        byte[] request = whole("PUT", path, body.getBytes(StandardCharsets.UTF_8));
        for (Change change : changes) {
            request = change.applyTo(request);
        }
        ask(request);
    }

    @Property
    void changed_bytes_in_a_document(
            @ForAll("methods") String method,
            @ForAll("paths") String path,
            @ForAll("bodies") String body,
            @ForAll("encodings") Charset encoding,
            @ForAll("changes") List<Change> changes) {
        byte[] document = body.getBytes(encoding);
        for (Change change : changes) {
            document = change.applyTo(document);
        }
        assertThat(ask(whole(method, path, document)))
                .as("a whole request is answered")
                .isPositive();
    }

    @Property
    void any_text_in_any_element(
            @ForAll("paths") String path,
            @ForAll("bodies") String body,
            @ForAll("texts") String text,
            @ForAll int which) {
        List<String> elements = Pattern.compile(">([^<>]+)</")
                .matcher(body)
                .results()
                .map(m -> m.group(1))
                .toList();
        String value = elements.get(Math.floorMod(which, elements.size()));
        String changed = body.replace(">" + value + "</", ">" + text + "</");
        assertThat(ask(whole("PUT", path, changed.getBytes(StandardCharsets.UTF_8))))
                .isPositive();
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.oneOf(
                Arbitraries.of(
                        "",
                        "-1",
                        "99999999999999999999",
                        "P999999999999D",
                        "PT-1S",
                        "P1Y",
                        "true ",
                        "NaN",
                        "&#0;",
                        "&lt;",
                        "&undefined;",
                        "../..",
                        "a = " + "(".repeat(20_000),
                        "NOT ".repeat(10_000) + "TRUE",
                        "x".repeat(100_000)),
                Arbitraries.strings().ofMaxLength(50));
    }

    @Property(tries = 40)
    void documents_that_grow_when_they_are_read(
            @ForAll("paths") String path, @ForAll @IntRange(min = 2, max = 60) int levels, @ForAll boolean external) {
        StringBuilder document = new StringBuilder("<?xml version='1.0'?><!DOCTYPE e [<!ENTITY a0 "
                + (external ? "SYSTEM 'file:///etc/passwd'" : "'0123456789'") + ">");
        for (int i = 1; i <= levels; i++) {
            document.append("<!ENTITY a")
                    .append(i)
                    .append(" '")
                    .append(("&a" + (i - 1) + ";").repeat(10))
                    .append("'>");
        }
        document.append("]><entry><content><QueueDescription xmlns='" + NAMESPACE + "'><UserMetadata>&a")
                .append(levels)
                .append(";</UserMetadata></QueueDescription></content></entry>");
        assertThat(ask(whole("PUT", path, document.toString().getBytes(StandardCharsets.UTF_8))))
                .isPositive();
    }

    @Property(tries = 40)
    void documents_without_a_bottom(
            @ForAll("paths") String path, @ForAll @IntRange(min = 1, max = 100_000) int levels, @ForAll boolean whole) {
        String deep = "<a>".repeat(levels) + (whole ? "</a>".repeat(levels) : "");
        assertThat(ask(whole("PUT", path, entry(deep).getBytes(StandardCharsets.UTF_8))))
                .isPositive();
    }

    @Property
    void bodies_that_lie_about_their_length(
            @ForAll("paths") String path, @ForAll("bodies") String body, @ForAll("lengths") String length) {
        ask(request("PUT", path, "Content-Length: " + length + "\r\n", body.getBytes(StandardCharsets.UTF_8)));
    }

    @Provide
    Arbitrary<String> lengths() {
        return Arbitraries.oneOf(
                Arbitraries.of("-1", "1e3", "", "0x10", "99999999999", "2147483647", "1048576", "+5", "5, 5"),
                Arbitraries.integers().between(0, 3_000).map(String::valueOf));
    }

    @Property
    void chunks_of_any_kind(
            @ForAll("paths") String path,
            @ForAll("chunks") List<String> chunks,
            @ForAll("changes") List<Change> changes) {
        byte[] body = String.join("\r\n", chunks).getBytes(StandardCharsets.ISO_8859_1);
        for (Change change : changes) {
            body = change.applyTo(body);
        }
        ask(request("PUT", path, "Transfer-Encoding: chunked\r\n", body));
    }

    @Provide
    Arbitrary<List<String>> chunks() {
        return Arbitraries.of("0", "5", "hello", "", "7fffffff", "-5", "zz", "fffff;x=y", "100000", "a\nb")
                .list()
                .ofMaxSize(8);
    }

    @Property
    void any_header_and_any_target(@ForAll("targets") String target, @ForAll("targets") String header) {
        ask(request("GET", "/" + target, "X: " + header + "\r\n" + header + "\r\n", new byte[0]));
    }

    @Provide
    Arbitrary<String> targets() {
        return Arbitraries.oneOf(
                Arbitraries.of(
                        "%",
                        "%zz",
                        "%00",
                        "a%2Fb",
                        "//",
                        "?",
                        "?a=b&=c&d",
                        "events/Subscriptions",
                        "$Resources/queues?$top=-1",
                        "$Resources/topics?$skip=99999999999",
                        "events/Subscriptions/all/Rules?$skip=x",
                        "#",
                        "\\",
                        "a b",
                        "Expect: 100-continue",
                        "Content-Length: 5",
                        "Transfer-Encoding: chunked",
                        "Host: \"<&>"),
                Arbitraries.strings().ofMaxLength(30));
    }
}
