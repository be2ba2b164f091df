// What can be chosen about a game, as data: from it come parsing, printing, defaults, presets and error messages, for
// every game alike.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/error.hpp"

namespace zg {

using OptionValue = std::variant<bool, std::int64_t, std::string>;

enum class OptionKind { Choice, Flag, Number, Text };

// How a text in Options is written, and read again; `read` throws BadValue, without the option's name.
template <class Options>
struct TextForm {
  std::string_view allowed;  // in words
  std::string (*write)(const Options&) = nullptr;
  void (*read)(Options&, std::string_view) = nullptr;
};

struct Synonym {
  std::string_view word;
  std::int64_t value;
};

// One option: a small number in Options, shown as a word, a boolean or an integer; or something with a text of its own.
template <class Options>
struct OptionField {
  std::string_view name;
  OptionKind kind;
  std::vector<std::string_view> words;  // Choice: the word for the value lowest + i
  std::int64_t lowest;
  std::int64_t highest;
  std::int64_t (*get)(const Options&);
  void (*set)(Options&, std::int64_t);
  std::string_view about;
  std::vector<Synonym> synonyms{};  // Choice: words that are read but not written
  TextForm<Options> form{};         // Text; it has neither `get` nor `set`

  bool is_same(const Options& a, const Options& b) const {
    return kind == OptionKind::Text ? form.write(a) == form.write(b) : get(a) == get(b);
  }
  std::string allowed() const {
    if (kind == OptionKind::Text) return std::string(form.allowed);
    if (kind == OptionKind::Number)
      return "an integer from " + std::to_string(lowest) + " to " + std::to_string(highest);
    if (kind == OptionKind::Flag) return "true or false";
    std::string out = "one of";
    for (const auto word : words) (out += out.back() == 'f' ? " " : ", ") += word;
    for (const Synonym& synonym : synonyms) (out += &synonym == &synonyms.front() ? "; also " : ", ") += synonym.word;
    return out;
  }
  std::string text(const Options& options) const {
    if (kind == OptionKind::Text) return form.write(options);
    const std::int64_t value = get(options);
    if (kind == OptionKind::Number) return std::to_string(value);
    if (kind == OptionKind::Flag) return value != 0 ? "true" : "false";
    return std::string(words[static_cast<std::size_t>(value - lowest)]);
  }
  OptionValue value(const Options& options) const {
    if (kind == OptionKind::Text) return form.write(options);
    if (kind == OptionKind::Number) return get(options);
    if (kind == OptionKind::Flag) return get(options) != 0;
    return text(options);
  }
};

struct Preset {
  std::string_view name;
  std::string_view settings;  // "patterns=lines,removal=mandatory"
  std::string_view about;
};

namespace detail {
template <auto Member, class Options, class T>
OptionField<Options> field(T Options::*, std::string_view name, OptionKind kind, std::vector<std::string_view> words,
                           std::int64_t lowest, std::int64_t highest, std::string_view about) {
  return {name,
          kind,
          std::move(words),
          lowest,
          highest,
          [](const Options& o) { return static_cast<std::int64_t>(o.*Member); },
          [](Options& o, std::int64_t v) { o.*Member = static_cast<T>(v); },
          about};
}
}  // namespace detail

template <auto Member>
auto choice_option(std::string_view name, std::vector<std::string_view> words, std::string_view about,
                   std::vector<Synonym> synonyms = {}) {
  const auto highest = static_cast<std::int64_t>(words.size()) - 1;
  auto field = detail::field<Member>(Member, name, OptionKind::Choice, std::move(words), 0, highest, about);
  field.synonyms = std::move(synonyms);
  return field;
}
template <class Options>
OptionField<Options> text_option(std::string_view name, std::string_view about, const TextForm<Options>& form) {
  return {name, OptionKind::Text, {}, 0, 0, nullptr, nullptr, about, {}, form};
}
template <auto Member>
auto flag_option(std::string_view name, std::string_view about) {
  return detail::field<Member>(Member, name, OptionKind::Flag, {}, 0, 1, about);
}
template <auto Member>
auto number_option(std::string_view name, std::int64_t lowest, std::int64_t highest, std::string_view about) {
  return detail::field<Member>(Member, name, OptionKind::Number, {}, lowest, highest, about);
}

namespace detail {
[[noreturn]] inline void refuse_value(std::string_view option, const std::string& given, const std::string& allowed) {
  throw BadValue("option " + std::string(option) + " is " + allowed + ", not " + given);
}

// The number behind a word, "true" or "12"; whether it is in range is for the caller.
template <class Options>
std::int64_t number_of_text(const OptionField<Options>& field, const std::string& text) {
  if (field.kind == OptionKind::Choice) {
    for (std::size_t i = 0; i < field.words.size(); ++i)
      if (field.words[i] == text) return field.lowest + static_cast<std::int64_t>(i);
    for (const Synonym& synonym : field.synonyms)
      if (synonym.word == text) return synonym.value;
  } else if (field.kind == OptionKind::Flag) {
    if (text == "true") return 1;
    if (text == "false") return 0;
  } else {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size() && text == std::to_string(value)) return value;
  }
  refuse_value(field.name, quoted(text), field.allowed());
}

inline std::string shown(const OptionValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return quoted(*text);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "True" : "False";
  return std::to_string(std::get<std::int64_t>(value));
}

// The number behind a typed value: a word for a choice, a boolean for a flag, an integer for a number.
template <class Options>
std::int64_t number_of(const OptionField<Options>& field, const OptionValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  const auto* flag = std::get_if<bool>(&value);
  const auto* number = std::get_if<std::int64_t>(&value);
  if (field.kind == OptionKind::Choice && text != nullptr) return number_of_text(field, *text);
  if (field.kind == OptionKind::Flag && flag != nullptr) return *flag ? 1 : 0;
  if (field.kind == OptionKind::Number && number != nullptr) return *number;
  throw BadType("option " + std::string(field.name) + " is " + field.allowed() + ", not " + shown(value));
}
}  // namespace detail

// The options of one game: fields, presets, and what follows from them.
template <class Options>
class OptionTable {
 public:
  // `settle`, if given, sees options when all have been set: it throws BadValue for a combination that cannot be, and
  // gives options that mean the same the same value.
  OptionTable(std::vector<OptionField<Options>> fields, std::vector<Preset> presets, void (*settle)(Options&) = nullptr)
      : fields_(std::move(fields)), presets_(std::move(presets)), settle_(settle) {}

  std::span<const OptionField<Options>> fields() const { return fields_; }
  std::span<const Preset> presets() const { return presets_; }

  // Throws BadValue if there is no such option.
  const OptionField<Options>& find(std::string_view name) const { return find_named(fields_, "option", name); }

  void set(Options& options, const OptionField<Options>& field, const OptionValue& value) const {
    if (field.kind != OptionKind::Text) return put(options, field, detail::number_of(field, value));
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr)
      throw BadType("option " + std::string(field.name) + " is " + field.allowed() + ", not " + detail::shown(value));
    put_text(options, field, *text);
  }
  void settle(Options& options) const {
    if (settle_ != nullptr) settle_(options);
  }

  void apply_preset(Options& options, std::string_view name) const {
    apply_settings(options, find_named(presets_, "preset", name).settings);
  }

  // "a=x,b=y", all values as text, as in presets and in the canonical text; empty is fine. To be settled.
  void apply_settings(Options& options, std::string_view settings) const {
    std::vector<std::string_view> seen;
    for (bool more = !settings.empty(); more;) {
      const std::size_t comma = settings.find(',');
      const std::string_view item = settings.substr(0, comma);
      more = comma != settings.npos;
      settings.remove_prefix(more ? comma + 1 : settings.size());
      const std::size_t equals = item.find('=');
      if (equals == item.npos) throw BadValue("an option is name=value, not " + quoted(item));
      const OptionField<Options>& field = find(item.substr(0, equals));
      if (std::find(seen.begin(), seen.end(), field.name) != seen.end())
        throw BadValue("option " + std::string(field.name) + " is given twice");
      seen.push_back(field.name);
      put_text(options, field, std::string(item.substr(equals + 1)));
    }
  }

  // What differs from the default, in the order of the fields.
  std::string canonical(const Options& options) const {
    std::string out;
    if (options == Options{}) return out;
    for (const auto& field : fields_) {
      if (field.is_same(options, Options{})) continue;
      ((out += out.empty() ? "" : ",") += field.name) += '=';
      out += field.text(options);
    }
    return out;
  }

 private:
  static void put_text(Options& options, const OptionField<Options>& field, const std::string& text) {
    if (field.kind != OptionKind::Text) return put(options, field, detail::number_of_text(field, text));
    try {
      field.form.read(options, text);
    } catch (const BadValue& error) {
      throw BadValue("option " + std::string(field.name) + " is " + field.allowed() + ": " + error.what());
    }
  }
  static void put(Options& options, const OptionField<Options>& field, std::int64_t number) {
    if (number < field.lowest || number > field.highest)
      detail::refuse_value(field.name, std::to_string(number), field.allowed());
    field.set(options, number);
  }

  std::vector<OptionField<Options>> fields_;
  std::vector<Preset> presets_;
  void (*settle_)(Options&);
};

}  // namespace zg
