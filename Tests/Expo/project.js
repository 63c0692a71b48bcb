// Reads and writes an Xcode project as the npm package `xcode` represents it: sections of objects by ID, values as they
// are in the file, and each comment in a member of its own, KEY_comment, or next to the value in an array.
"use strict";

const TOKEN = /\s+|\/\/[^\n]*|(\/\*.*?\*\/|"(?:\\.|[^"\\])*"|[{}()=;,]|[^\s{}()=;,"]+)/gs;

class Reader {
    constructor(text) {
        this.tokens = [...text.matchAll(TOKEN)].map((match) => match[1]).filter(Boolean);
        this.position = 0;
    }

    next() {
        return this.tokens[this.position++];
    }

    expect(token) {
        const found = this.next();
        if (found !== token) throw new Error(`The project has ${found} instead of ${token}.`);
    }

    // The comment at this position, or undefined.
    comment() {
        const isComment = this.tokens[this.position]?.startsWith("/*");
        return isComment ? this.next().slice(2, -2).trim() : undefined;
    }

    value() {
        const token = this.next();
        if (token === "{") return this.dictionary();
        if (token === "(") return this.array();
        return /^\d+$/.test(token) ? Number(token) : token;
    }

    array() {
        const list = [];
        while (this.tokens[this.position] !== ")") {
            const value = this.value();
            const comment = this.comment();
            list.push(comment === undefined ? value : { value, comment });
            this.expect(",");
        }
        this.expect(")");
        return list;
    }

    dictionary() {
        const members = {};
        for (;;) {
            // Comments between the members, such as those around sections, aren't kept.
            while (this.comment() !== undefined);
            if (this.tokens[this.position] === "}") break;
            const key = this.next();
            const own = this.comment();
            this.expect("=");
            members[key] = this.value();
            const comment = own ?? this.comment();
            if (comment !== undefined) members[`${key}_comment`] = comment;
            this.expect(";");
        }
        this.expect("}");
        return members;
    }
}

exports.parse = (text) => {
    const reader = new Reader(text);
    reader.expect("{");
    const project = reader.dictionary();
    const sections = {};
    for (const [id, object] of Object.entries(project.objects)) {
        if (id.endsWith("_comment")) continue;
        const section = (sections[object.isa] ??= {});
        section[id] = object;
        const comment = project.objects[`${id}_comment`];
        if (comment !== undefined) section[`${id}_comment`] = comment;
    }
    return { hash: { project: { ...project, objects: sections } } };
};

exports.text = ({ hash: { project } }) => {
    const { objects, rootObject, rootObject_comment: comment, ...others } = project;
    const sections = Object.entries(objects).map(([isa, section]) =>
        `\n/* Begin ${isa} section */\n${members(section, 2)}/* End ${isa} section */\n`);
    return `// !$*UTF8*$!\n{\n${members(others, 1)}\tobjects = {\n${sections.join("")}\t};\n` +
        `\trootObject = ${rootObject} /* ${comment} */;\n}\n`;
};

function members(node, depth) {
    return Object.entries(node).filter(([key]) => !key.endsWith("_comment")).map(([key, value]) => {
        const comment = node[`${key}_comment`];
        const suffix = comment === undefined ? "" : ` /* ${comment} */`;
        const [before, after] = typeof value === "object" ? [suffix, ""] : ["", suffix];
        return `${"\t".repeat(depth)}${key}${before} = ${text(value, depth)}${after};\n`;
    }).join("");
}

function text(value, depth) {
    const end = "\t".repeat(depth);
    if (Array.isArray(value)) {
        const lines = value.map((each) =>
            `${end}\t${typeof each === "object" ? `${each.value} /* ${each.comment} */` : each},\n`);
        return `(\n${lines.join("")}${end})`;
    }
    return typeof value === "object" ? `{\n${members(value, depth + 1)}${end}}` : String(value);
}
