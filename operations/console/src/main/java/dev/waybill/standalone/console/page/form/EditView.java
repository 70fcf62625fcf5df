package dev.waybill.standalone.console.page.form;

import dev.waybill.deadletter.ContentMask;
import dev.waybill.message.MessageContent;
import dev.waybill.message.SendRules;
import dev.waybill.standalone.console.access.SignIn;
import dev.waybill.standalone.message.BodyText;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The two pages of an edit: the form and its preview; {@code seen} is the version that the person saw. */
public record EditView(String of, Way way, String seen, ContentMask mask) {
    /** The previous page, and the path and query of the form. */
    public record Way(String back, String action, String query) {}

    public void form(Context request, SignIn.Render render, MessageContent old) {
        var edit = new MessageEdit(old, mask);
        render.page(
                request,
                "edit",
                Map.of("view", this, "fields", edit.texts(), "body", edit.bodyField(), "message", old.messageId()));
    }

    /** Shows the preview; a refusal replaces its button. */
    public void preview(
            Context request, SignIn.Render render, MessageContent old, Map<String, String> typed, String refusal) {
        var edit = new MessageEdit(old, mask);
        MessageContent now = edit.changed(typed);
        BodyDiff body = BodyDiff.between(old, now);
        List<MessageEdit.Change> changes = edit.changes(now);
        var model = new HashMap<String, Object>(Map.of(
                "view",
                this,
                "changes",
                changes,
                "body",
                body,
                "typed",
                typed,
                "refusal",
                refusal.isEmpty() ? broken(old, now) : refusal,
                "before",
                old.body().length,
                "after",
                now.body().length,
                "message",
                old.messageId()));
        model.put("nothing", changes.isEmpty() && !body.changed);
        render.page(request, "edit-preview", model);
    }

    private static String broken(MessageContent old, MessageContent now) {
        @Nullable String broken = SendRules.violation(old, now);
        return broken == null ? "" : "The edited message " + broken + ".";
    }

    /** The difference of two bodies, as indented JSON if possible; without lines, only line ends differ. */
    record BodyDiff(boolean changed, boolean json, List<TextDiff.Line> lines) {
        static BodyDiff between(MessageContent old, MessageContent now) {
            if (Arrays.equals(old.body(), now.body())) {
                return new BodyDiff(false, false, List.of());
            }
            List<String> before = text(old).jsonLines();
            List<String> after = text(now).jsonLines();
            // If only blanks differ, the indented texts are equal and the raw ones are compared.
            boolean json = !before.isEmpty() && !after.isEmpty() && !before.equals(after);
            return new BodyDiff(
                    true, json, json ? TextDiff.between(before, after) : TextDiff.between(lines(old), lines(now)));
        }

        private static List<String> lines(MessageContent content) {
            return new String(content.body(), StandardCharsets.UTF_8).lines().toList();
        }

        private static BodyText text(MessageContent content) {
            return new BodyText(content.body(), content.contentType(), Integer.MAX_VALUE);
        }
    }
}
