// Several lambdas as one visitor of a variant. Without one for `auto` a new kind does not compile
// before somebody says what becomes of it.
#pragma once

namespace slip {

template <class... Kinds>
struct Overloaded : Kinds... {
  using Kinds::operator()...;
};
template <class... Kinds>
Overloaded(Kinds...) -> Overloaded<Kinds...>;

}  // namespace slip
