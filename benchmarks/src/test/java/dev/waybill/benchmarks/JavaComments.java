package dev.waybill.benchmarks;

/** The comments of a Java file, told from its code and from texts in it that look like comments. */
final class JavaComments {
    private static final String TEXT_BLOCK = "\"\"\"";

    private final String source;

    JavaComments(String source) {
        this.source = source;
    }

    /** The file with a null character in place of each piece of code, so that comments stay on their lines. */
    String withoutCode() {
        var left = new StringBuilder();
        int at = 0;
        while (at < source.length()) {
            boolean isComment = isAt(at, "//") || isAt(at, "/*");
            int end = isComment ? endOfComment(at) : endOfCode(at);
            left.append(isComment || isSpace(at) ? source.substring(at, end) : blank(at, end));
            at = end;
        }
        return left.toString();
    }

    private String blank(int begin, int end) {
        return "\0"
                + "\n".repeat((int) source.substring(begin, end)
                        .chars()
                        .filter(c -> c == '\n')
                        .count());
    }

    private boolean isSpace(int at) {
        return Character.isWhitespace(source.charAt(at));
    }

    private int endOfComment(int at) {
        return isAt(at, "//") ? source.indexOf('\n', at) : source.indexOf("*/", at) + 2;
    }

    private int endOfCode(int at) {
        if (isAt(at, TEXT_BLOCK)) {
            return endOfText(at + TEXT_BLOCK.length(), TEXT_BLOCK);
        }
        return isAt(at, "\"") || isAt(at, "'") ? endOfText(at + 1, source.substring(at, at + 1)) : at + 1;
    }

    private int endOfText(int begin, String quote) {
        int at = begin;
        while (!isAt(at, quote)) {
            at += source.charAt(at) == '\\' ? 2 : 1;
        }
        return at + quote.length();
    }

    private boolean isAt(int at, String text) {
        return source.startsWith(text, at);
    }
}
