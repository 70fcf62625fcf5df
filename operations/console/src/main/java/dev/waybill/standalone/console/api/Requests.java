package dev.waybill.standalone.console.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.waybill.hold.AuditContext;
import dev.waybill.standalone.console.access.Refusal;
import dev.waybill.standalone.console.access.SignedInRequest;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

final class Requests {
    private static final int LONGEST_REASON = 500;

    private Requests() {}

    static Optional<String> text(Context request, String name) {
        return Optional.ofNullable(request.queryParam(name)).filter(each -> !each.isEmpty());
    }

    static String required(Context request, String name) {
        return text(request, name).orElseThrow(() -> new Refusal(400, "Give the parameter " + name + "."));
    }

    static long number(String text) {
        if (!text.matches("[0-9]{1,18}")) {
            throw new Refusal(400, "A number was expected, with 18 digits at most.");
        }
        return Long.parseLong(text);
    }

    static long id(Context request) {
        return number(request.pathParam("id"));
    }

    /** A number of the body; a text such as "1h" would otherwise become 0. */
    static long whole(JsonNode order, String member) {
        JsonNode value = order.path(member);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new Refusal(400, "The member " + member + " is a whole number.");
        }
        return value.longValue();
    }

    static Refusal noPlace() {
        return new Refusal(400, "The parameter after must come from an earlier page.");
    }

    static int most(Context request) {
        long most = number(text(request, "most").orElse("50"));
        if (most < 1 || most > 500) {
            throw new Refusal(400, "A page has 1 to 500 rows.");
        }
        return (int) most;
    }

    static Optional<Instant> time(Context request, String name) {
        try {
            return text(request, name).map(OffsetDateTime::parse).map(OffsetDateTime::toInstant);
        } catch (DateTimeException e) {
            throw new Refusal(400, "The parameter " + name + " is not a time such as 2026-03-01T06:00:00Z.");
        }
    }

    /** The operator and the reason. */
    static AuditContext instruction(JsonNode body, SignedInRequest visit) {
        @Nullable JsonNode given = body.get("reason");
        return instruction(given != null && given.isTextual() ? given.textValue() : "", visit);
    }

    /** The operator and the reason from a parameter, for bodies that are no JSON object. */
    static AuditContext instruction(Context request, SignedInRequest visit) {
        return instruction(text(request, "reason").orElse(""), visit);
    }

    private static AuditContext instruction(String given, SignedInRequest visit) {
        String reason = given.strip();
        if (reason.isEmpty() || reason.length() > LONGEST_REASON) {
            throw new Refusal(400, "Give a reason of 1 to " + LONGEST_REASON + " characters.");
        }
        return new AuditContext(visit.person().name(), reason);
    }

    /** A digest of a state, as an entity tag. */
    static String tag(String state) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(state.getBytes(StandardCharsets.UTF_8));
            return "\"" + HexFormat.of().formatHex(digest, 0, 12) + "\"";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The state that the client saw; refuses a change without it. */
    static String seen(Context request) {
        @Nullable String tag = request.header("If-Match");
        if (tag == null || tag.equals("*")) {
            throw new Refusal(428, "Send the ETag of the state that you read as If-Match.");
        }
        return tag;
    }

    static Refusal changed() {
        return new Refusal(412, "Nothing was changed: it has changed since you saw it.");
    }
}
